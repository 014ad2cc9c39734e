import { hashCredential, newCredential, parseCredential } from "@ikg/auth";
import { storeAnnouncements } from "@ikg/announcements";
import { type Gid, newGid } from "@ikg/contracts";
import type { Database, Transaction } from "@ikg/graph";
import { lookUpProperties as column, recordLabel } from "@ikg/physical";
import { storeRecords } from "../outbox/store-records.ts";
import { accountName, type FirstAccount, type FirstAccountRequest, openAccount } from "./first-account.ts";
import { type BootstrapChange, bootstrapRecords } from "./first-records.ts";
import { ensureRecord, linkRecord, newRecordFields } from "./store-record.ts";

export interface FirstCredentialRequest extends FirstAccountRequest {
  readonly pepper: Uint8Array;
  /** A token that the operator chose; it becomes the bootstrap credential. */
  readonly givenToken: string | undefined;
  /** Reads the token that the operator has already, if any, while no other bootstrap can run. */
  heldToken(): Promise<string | undefined>;
  /** Issues another credential in place of the former one, whether that is live, held, expired or deleted. */
  readonly renew: boolean;
  /** Hands over the outcome before it is committed, so that a credential whose token went nowhere never counts. */
  deliver(outcome: DeliveredCredential): Promise<void>;
  /** Whether audit records are kept. */
  readonly recorded: boolean;
  /** What is unique about this organization; two calls with one slot never make two organizations. */
  readonly slot?: string;
}

export interface FirstCredential {
  readonly organizationId: Gid;
  /** Undefined when the account was deleted. */
  readonly serviceAccountId: Gid | undefined;
  /** The token that opens `/configs` now; undefined when none is held and none was issued. */
  readonly token: string | undefined;
  /** Whether it was registered by this call. */
  readonly issued: boolean;
  /** Whether the first credential is valid; otherwise it has expired, or it or its account was deleted. */
  readonly isLive: boolean;
  /** The bootstrap credential that this one replaced. */
  readonly replaced: { readonly id: Gid; readonly kid: string } | undefined;
}

/** An outcome with a token to hand over. */
export interface DeliveredCredential extends FirstCredential {
  readonly serviceAccountId: Gid;
  readonly token: string;
}

const timeoutMs = 30_000;

/** True when the token is that of a live credential of the account. */
const verifies = async (
  tx: Transaction,
  account: Gid,
  token: string,
  pepper: Uint8Array,
): Promise<boolean> => {
  const kid = parseCredential(token)?.kid;
  if (kid === undefined) return false;
  const [row] = await tx.run(
    `MATCH (c:${recordLabel} {${column.kid}: $kid}) WHERE c.${column.serviceAccountId} = $account ` +
      `AND (c.${column.expireTime} IS NULL OR c.${column.expireTime} > $now) RETURN c.${column.tokenHash} AS hash`,
    { kid, account, now: new Date().toISOString() },
  );
  return row?.["hash"] === hashCredential(token, pepper);
};

/** True when a credential stands under this key and has not expired. */
const isLive = async (tx: Transaction, uniqueKey: string): Promise<boolean> => {
  const [row] = await tx.run(
    `MATCH (c:${recordLabel} {${column.uniqueKey}: $uniqueKey}) ` +
      `WHERE c.${column.expireTime} IS NULL OR c.${column.expireTime} > $now RETURN c.id AS id`,
    { uniqueKey, now: new Date().toISOString() },
  );
  return row !== undefined;
};

const removeFormer = async (tx: Transaction, uniqueKey: string): Promise<FirstCredential["replaced"]> => {
  const [row] = await tx.run(
    `MATCH (c:${recordLabel} {${column.uniqueKey}: $uniqueKey}) WITH c, c.id AS id, c.${column.kid} AS kid ` +
      "DETACH DELETE c RETURN id, kid",
    { uniqueKey },
  );
  return row === undefined ? undefined : { id: row["id"] as Gid, kid: String(row["kid"]) };
};

/** @throws Error when the operator's token is not a service account token. */
const checkGiven = (token: string | undefined): void => {
  if (token !== undefined && parseCredential(token)?.prefix !== "sa1")
    throw new Error("BOOTSTRAP_SA_TOKEN: not a service account token (sa1_...)");
};

/** Stores the announcement and the audit records of the change with it. */
const storeOutbox = async (tx: Transaction, change: BootstrapChange, recorded: boolean): Promise<void> => {
  const { organizationId: organization_id, replaced } = change;
  const kind = "service_account_credential";
  if (replaced !== undefined)
    await storeAnnouncements(tx, [{ kind, ...replaced, organization_id, action: "deleted" }]);
  if (recorded) await storeRecords(tx, bootstrapRecords(change, new Date()), organization_id);
};

/** Makes the credential of a token. @returns how it is known */
const issueCredential = async (
  tx: Transaction,
  { organizationId, serviceAccountId }: FirstAccount,
  token: string,
  uniqueKey: string,
  pepper: Uint8Array,
): Promise<{ readonly id: Gid; readonly kid: string }> => {
  const kid = parseCredential(token)?.kid ?? "";
  const id = await ensureRecord(tx, "service_account_credential", uniqueKey, {
    id: newGid("service_account_credential"),
    organization_id: organizationId,
    parent_id: serviceAccountId,
    display_name: accountName,
    [column.kid]: kid,
    [column.tokenHash]: hashCredential(token, pepper),
    [column.serviceAccountId]: serviceAccountId,
    ...newRecordFields(serviceAccountId),
  });
  await linkRecord(tx, id, serviceAccountId);
  return { id, kid };
};

/** Registers a token in place of the former one. */
const replaceCredential = async (
  tx: Transaction,
  account: FirstAccount,
  token: string,
  uniqueKey: string,
  { pepper, recorded }: FirstCredentialRequest,
): Promise<DeliveredCredential> => {
  const { organizationId, serviceAccountId, created } = account;
  const replaced = await removeFormer(tx, uniqueKey);
  const issued = await issueCredential(tx, account, token, uniqueKey, pepper);
  const change = { organizationId, accountId: serviceAccountId, created, issued, replaced };
  await storeOutbox(tx, change, recorded);
  return { organizationId, serviceAccountId, token, issued: true, isLive: true, replaced };
};

/**
 * Makes the organization, its service account `bootstrap` and one credential of it, once. A later call issues another only
 * for `renew`, or for another given token while the former one is valid: a lost token cannot be shown again, and a
 * credential or an account that was ended on purpose does not come back with the next start.
 *
 * @throws Error for a given token that is malformed, or valid while a renewal would have to end it.
 */
export const firstCredential = (
  database: Database,
  request: FirstCredentialRequest,
): Promise<FirstCredential> => {
  const { pepper, givenToken, renew, slot = "bootstrap" } = request;
  checkGiven(givenToken);
  return database.write(
    async (tx) => {
      const { isFirst, created, organizationId, serviceAccountId } = await openAccount(tx, request, slot);
      const unchanged = { organizationId, issued: false, replaced: undefined };
      if (serviceAccountId === undefined)
        return { ...unchanged, serviceAccountId, token: undefined, isLive: false };
      const account = { organizationId, serviceAccountId, created };
      const held = givenToken ?? (renew ? undefined : await request.heldToken());
      if (held !== undefined && (await verifies(tx, serviceAccountId, held, pepper))) {
        if (renew)
          throw new Error("BOOTSTRAP_SA_TOKEN: is valid and would stay valid; change or remove it to renew");
        const outcome = { ...unchanged, serviceAccountId, token: held, isLive: true };
        await request.deliver(outcome);
        return outcome;
      }

      const uniqueKey = `${slot}/credential`;
      const live = await isLive(tx, uniqueKey);
      // A given token stays in the settings: once it has expired or was deleted, a start does not register it again.
      const mayIssue = isFirst || renew || (live && givenToken !== undefined);
      if (!mayIssue) return { ...unchanged, serviceAccountId, token: undefined, isLive: live };
      const token = givenToken ?? newCredential("sa1").token;
      const outcome = await replaceCredential(tx, account, token, uniqueKey, request);
      await request.deliver(outcome);
      return outcome;
    },
    { timeoutMs },
  );
};

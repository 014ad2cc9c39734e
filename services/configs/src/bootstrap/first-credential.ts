import { randomBytes } from "node:crypto";
import { hashCredential, newCredential, parseCredential } from "@ikg/auth";
import { storeAnnouncements } from "@ikg/changes";
import { type AccountRole, type Gid, newGid } from "@ikg/contracts";
import type { Database, Transaction } from "@ikg/graph";
import {
  lookUpProperties as column,
  nameKey,
  partOf,
  recordLabel,
  type RecordLabelKind,
  recordLabels,
} from "@ikg/physical";
import { storeRecords } from "../outbox/store-records.ts";
import { type BootstrapChange, bootstrapRecords } from "./first-records.ts";

export interface FirstCredentialRequest {
  readonly organizationName: string;
  readonly pepper: Uint8Array;
  /** A token that the operator chose; it becomes the bootstrap credential. */
  readonly givenToken: string | undefined;
  /**
   * The token that is in the operator's hands already, if any. Asked while no other bootstrap can run.
   */
  heldToken(): Promise<string | undefined>;
  /** Issues another credential in place of a live one, held or not. */
  readonly renew: boolean;
  /** Hands over the outcome before it is committed, so that a credential whose token went nowhere never counts. */
  deliver(outcome: FirstCredential & { readonly token: string }): Promise<void>;
  /** Whether audit records are kept. */
  readonly recorded: boolean;
  /** What is unique about this organization; two calls with one slot never make two organizations. */
  readonly slot?: string;
}

export interface FirstCredential {
  readonly organizationId: Gid;
  readonly serviceAccountId: Gid;
  /** The token that opens `/configs` now; undefined when there is a live credential whose token is not held. */
  readonly token: string | undefined;
  /** Whether it was registered by this call. */
  readonly issued: boolean;
  /** The bootstrap credential that this one replaced. */
  readonly replaced: { readonly id: Gid; readonly kid: string } | undefined;
}

const timeoutMs = 30_000;
const accountName = "bootstrap";
const role: AccountRole = "all_editor";

/** Makes a record unless there is one with its key, and locks it for the rest of the transaction. */
const ensure = async (
  tx: Transaction,
  kind: RecordLabelKind,
  uniqueKey: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Gid> => {
  const [row] = await tx.run(
    `MERGE (r:${recordLabel} {${column.uniqueKey}: $uniqueKey}) ` +
      `ON CREATE SET r:${recordLabels[kind]}, r += $fields SET r.kind = $kind RETURN r.id AS id`,
    { uniqueKey, kind, fields },
  );
  return row?.["id"] as Gid; // MERGE always gives a row, and records have gids
};

const link = (tx: Transaction, part: Gid, whole: Gid): Promise<unknown> =>
  tx.run(
    `MATCH (p:${recordLabel} {id: $part}) MATCH (w:${recordLabel} {id: $whole}) MERGE (p)-[:${partOf}]->(w)`,
    { part, whole },
  );

const stamp = (author: Gid) => {
  const now = new Date().toISOString();
  return {
    version: 1,
    etag: randomBytes(12).toString("base64url"),
    create_time: now,
    update_time: now,
    created_by: author,
    updated_by: author,
  };
};

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

/** Stores with the change what every process and the audit chain have to know of it. */
const storeOutbox = async (tx: Transaction, change: BootstrapChange, recorded: boolean): Promise<void> => {
  const { organizationId: organization_id, replaced } = change;
  const kind = "service_account_credential";
  if (replaced !== undefined)
    await storeAnnouncements(tx, [{ kind, ...replaced, organization_id, action: "deleted" }]);
  if (recorded) await storeRecords(tx, bootstrapRecords(change, new Date()), organization_id);
};

/** Ids of the organization and its service account, and what of both was made just now. */
interface FirstAccount {
  readonly organizationId: Gid;
  readonly serviceAccountId: Gid;
  readonly created: BootstrapChange["created"];
}

/** Makes the organization and its service account, as far as they are missing. */
const ensureAccount = async (
  tx: Transaction,
  organizationName: string,
  slot: string,
): Promise<FirstAccount> => {
  const fresh = { organization: newGid("organization"), account: newGid("service_account") };
  const organizationId = await ensure(tx, "organization", slot, {
    id: fresh.organization,
    organization_id: fresh.organization,
    name: organizationName,
    data: "{}",
    ...stamp(fresh.account),
  });
  const serviceAccountId = await ensure(tx, "service_account", `${slot}/service-account`, {
    id: fresh.account,
    organization_id: organizationId,
    parent_id: organizationId,
    name: accountName,
    [column.nameKey]: nameKey("service_account", organizationId, accountName),
    data: JSON.stringify({ role }),
    ...stamp(fresh.account),
  });
  await link(tx, serviceAccountId, organizationId);
  const both = [
    { kind: "organization", id: organizationId, name: organizationName },
    { kind: "service_account", id: serviceAccountId, name: accountName },
  ] as const;
  const created = both.filter(({ id }) => id === fresh.organization || id === fresh.account);
  return { organizationId, serviceAccountId, created };
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
  const id = await ensure(tx, "service_account_credential", uniqueKey, {
    id: newGid("service_account_credential"),
    organization_id: organizationId,
    parent_id: serviceAccountId,
    display_name: accountName,
    [column.kid]: kid,
    [column.tokenHash]: hashCredential(token, pepper),
    [column.serviceAccountId]: serviceAccountId,
    data: "{}",
    ...stamp(serviceAccountId),
  });
  await link(tx, id, serviceAccountId);
  return { id, kid };
};

/**
 * Makes the organization, its service account `bootstrap` and one credential of it, as far as they are missing. A live
 * credential stays: a lost token cannot be shown again, and only `renew` or another given token replaces it.
 */
export const firstCredential = (
  database: Database,
  request: FirstCredentialRequest,
): Promise<FirstCredential> => {
  const { pepper, givenToken, slot = "bootstrap" } = request;
  checkGiven(givenToken);
  return database.write(
    async (tx) => {
      const account = await ensureAccount(tx, request.organizationName, slot);
      const { organizationId, serviceAccountId, created } = account;
      const known = { organizationId, serviceAccountId };
      const held = givenToken ?? (request.renew ? undefined : await request.heldToken());
      if (held !== undefined && (await verifies(tx, serviceAccountId, held, pepper))) {
        const outcome = { ...known, token: held, issued: false, replaced: undefined };
        await request.deliver(outcome);
        return outcome;
      }

      const uniqueKey = `${slot}/credential`;
      if (givenToken === undefined && !request.renew && (await isLive(tx, uniqueKey)))
        return { ...known, token: undefined, issued: false, replaced: undefined };
      const replaced = await removeFormer(tx, uniqueKey);
      const token = givenToken ?? newCredential("sa1").token;
      const issued = await issueCredential(tx, account, token, uniqueKey, pepper);
      const change = { organizationId, accountId: serviceAccountId, created, issued, replaced };
      await storeOutbox(tx, change, request.recorded);
      const outcome = { ...known, token, issued: true, replaced };
      await request.deliver(outcome);
      return outcome;
    },
    { timeoutMs },
  );
};

/** The organization of a bootstrap, and its service account. */
import { type AccountRole, type Gid, newGid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { lookUpProperties as column, nameKey, recordLabel } from "@ikg/physical";
import type { BootstrapChange } from "./first-records.ts";
import { ensureRecord, linkRecord, newRecordFields } from "./store-record.ts";

/** Name of the service account, and of its credential. */
export const accountName = "bootstrap";
const role: AccountRole = "all_editor";

export interface FirstAccountRequest {
  readonly organizationName: string;
  /** Makes an account that was deleted again. */
  readonly renew: boolean;
}

/** Ids of an organization and its service account that are made where they are missing. */
interface FreshIds {
  readonly organization: Gid;
  readonly account: Gid;
}

const ensureOrganization = (tx: Transaction, name: string, slot: string, fresh: FreshIds): Promise<Gid> =>
  ensureRecord(tx, "organization", slot, {
    id: fresh.organization,
    organization_id: fresh.organization,
    name,
    ...newRecordFields(fresh.account),
  });

const ensureAccount = async (
  tx: Transaction,
  organizationId: Gid,
  uniqueKey: string,
  fresh: FreshIds,
): Promise<Gid> => {
  const id = await ensureRecord(tx, "service_account", uniqueKey, {
    id: fresh.account,
    organization_id: organizationId,
    parent_id: organizationId,
    name: accountName,
    [column.nameKey]: nameKey("service_account", organizationId, accountName),
    ...newRecordFields(fresh.account, { role }),
  });
  await linkRecord(tx, id, organizationId);
  return id;
};

/** The service account, locked for the rest of the transaction; undefined when it was deleted. */
const findAccount = async (tx: Transaction, uniqueKey: string): Promise<Gid | undefined> => {
  const [row] = await tx.run(
    `MATCH (r:${recordLabel} {${column.uniqueKey}: $uniqueKey}) SET r.kind = r.kind RETURN r.id AS id`,
    { uniqueKey },
  );
  return row?.["id"] as Gid | undefined; // records have gids
};

/** Ids of the organization and its service account, and which of the two this call made. */
export interface FirstAccount {
  readonly organizationId: Gid;
  readonly serviceAccountId: Gid;
  readonly created: BootstrapChange["created"];
}

/** The same of an organization whose account may have been deleted. */
interface OpenedAccount extends Omit<FirstAccount, "serviceAccountId"> {
  readonly serviceAccountId: Gid | undefined;
  /** Whether the organization was made just now, so that it never had a credential. */
  readonly isFirst: boolean;
}

/** Makes the organization with its service account, once. Only `renew` makes an account that was deleted again. */
export const openAccount = async (
  tx: Transaction,
  { organizationName, renew }: FirstAccountRequest,
  slot: string,
): Promise<OpenedAccount> => {
  const fresh = { organization: newGid("organization"), account: newGid("service_account") };
  const uniqueKey = `${slot}/service-account`;
  const organizationId = await ensureOrganization(tx, organizationName, slot, fresh);
  // Every release commits the organization in one transaction with its first credential.
  const isFirst = organizationId === fresh.organization;
  const serviceAccountId =
    isFirst || renew
      ? await ensureAccount(tx, organizationId, uniqueKey, fresh)
      : await findAccount(tx, uniqueKey);
  const created = [
    ...(isFirst ? [{ kind: "organization", id: organizationId, name: organizationName } as const] : []),
    ...(serviceAccountId === fresh.account
      ? [{ kind: "service_account", id: serviceAccountId, name: accountName } as const]
      : []),
  ];
  return { organizationId, serviceAccountId, created, isFirst };
};

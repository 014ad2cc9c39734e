import { type Gid, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { boundTo, partOf, recordLabel, recordLabels } from "@ikg/physical";
import type { StoredRecord } from "./record.ts";

const ownersText = [
  `MATCH (:${recordLabel} {id: $organization})<-[:${partOf}]-(a:${recordLabels.service_account})`,
  `RETURN a.data AS account, [(a)<-[:${boundTo}]-(b:${recordLabels.role_binding}) WHERE b.project_id IS NULL | b.data] AS bindings`,
].join(" ");

const roleIn = (data: unknown): unknown => (JSON.parse(String(data)) as { role?: unknown }).role; // written by this service

/** Whether a record makes a service account an owner of its organization. */
export const givesOwnership = ({ kind, data, projectId }: StoredRecord): boolean =>
  kind === "service_account"
    ? data["role"] === "all_editor"
    : kind === "role_binding" && projectId === undefined && data["role"] === "owner";

/**
 * A service account that owns the organization has to be left: who matches the claims of a binding is known to the issuer alone,
 * and may be no person. Called in the transaction that removes, which holds the lock of the organization's usage, so that two owners
 * who remove each other come one after the other.
 *
 * @throws Problem `conflict` (409).
 */
export const requireOwner = async (tx: Transaction, organization: Gid): Promise<void> => {
  const rows = await tx.run(ownersText, { organization });
  const isOwner = rows.some(
    ({ account, bindings }) =>
      roleIn(account) === "all_editor" ||
      (bindings as readonly unknown[]).some((data) => roleIn(data) === "owner"), // a list, as the statement says
  );
  if (!isOwner)
    throw new Problem("conflict", {
      errors: ["id: the last service account that owns the organization cannot be removed"],
    });
};

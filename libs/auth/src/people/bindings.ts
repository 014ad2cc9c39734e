import type { Gid } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import { partOf, quoteName, recordLabel, recordLabels } from "@ikg/physical";
import { bindingsIn, type RoleBinding } from "../role-bindings.ts";

/** The organization that people administer, and the role bindings for people in it. */
export interface AdministratorBindings {
  readonly organization: Gid;
  readonly bindings: readonly RoleBinding[];
}

const organizationLabel = quoteName(recordLabels.organization);
const bindingLabel = quoteName(recordLabels.role_binding);

/** Two organizations are enough to know that there are several. */
const statement = `
MATCH (o:${organizationLabel}) WHERE $organization IS NULL OR o.id = $organization
WITH o LIMIT 2
RETURN o.id AS id, [(:${recordLabel} {id: o.id})<-[:${quoteName(partOf)}]-(b:${bindingLabel}) | [b.data, b.project_id]] AS bindings`;

const timeoutMs = 5_000;

/** @returns undefined where there is no such organization, or none is named and there are several. */
export const readBindings = async (
  database: Database,
  organization: Gid | undefined,
): Promise<AdministratorBindings | undefined> => {
  const rows = await database.read(statement, { organization: organization ?? null }, { timeoutMs });
  const [row] = rows;
  if (row === undefined || rows.length > 1) return undefined;
  const bindings = bindingsIn(row["bindings"]).filter(({ claim }) => claim !== undefined);
  return { organization: row["id"] as Gid, bindings };
};

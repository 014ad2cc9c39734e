import type { Database, ProjectGraph, Row, Transaction } from "@ikg/graph";
import { projectKey, projectNamesKey, projectNamesLabel } from "@ikg/physical";
import { countNames } from "./count-names.ts";
import { nameKinds, type NameKind, type NamesByKind } from "./name-use.ts";
import { lockNamesText, setNamesText } from "./statements.ts";

/** The names in a list's row. */
export const listedNames = (row: Row | undefined): NamesByKind => {
  const of = (kind: NameKind): ReadonlySet<string> => new Set((row?.[kind] ?? []) as string[]); // lists of names
  return {
    property_names: of("property_names"),
    relationship_types: of("relationship_types"),
    node_types: of("node_types"),
  };
};

/** Fields of a list with names added; kinds without a new name are left out. */
export const mergeNames = (listed: NamesByKind, added: NamesByKind): Row =>
  Object.fromEntries(
    nameKinds
      .filter((kind) => added[kind].size > 0)
      .map((kind) => [kind, [...new Set([...listed[kind], ...added[kind]])]]),
  );

/** How many node types of a list its organization counts: all, or those that were reserved before the graph was counted. */
export const countedTypes = (row: Row | undefined): number => {
  if (row?.["inOrganization"] === true) return listedNames(row).node_types.size;
  return Number(row?.["organizationTypes"] ?? 0);
};

/** Adds all names that were found in a graph to its list, which is complete from then on. */
export const completeList = async (
  tx: Transaction,
  projectId: string,
  found: NamesByKind,
  now: number,
): Promise<void> => {
  const key = projectNamesKey(projectId);
  const [row] = await tx.run(lockNamesText, { key, now });
  // What was found is not in the list of the organization yet; what was reserved before is.
  const fields = {
    ...mergeNames(listedNames(row), found),
    count_time: now,
    in_organization: false,
    organization_types: countedTypes(row),
  };
  await tx.run(setNamesText, { key, fields });
};

const isCompleteText = `MATCH (g:${projectNamesLabel} {key: $key}) RETURN g.count_time IS NOT NULL AS isComplete`;

/**
 * Counts the names of a graph that is older than its list.
 *
 * @returns what completes the list, in a transaction; undefined where it is complete.
 * @throws as `Database.read`.
 */
export const missingNames = async (
  database: Database,
  { id, pk }: ProjectGraph,
  now: number,
): Promise<((tx: Transaction) => Promise<void>) | undefined> => {
  const options = { timeoutMs: 30_000 };
  const [row] = await database.read(isCompleteText, { key: projectNamesKey(id) }, options);
  if (row?.["isComplete"] === true) return undefined;
  const found = await countNames(database, projectKey(pk));
  return (tx) => completeList(tx, id, found, now);
};

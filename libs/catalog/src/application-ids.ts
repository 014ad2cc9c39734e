import type { Database, Row, StatementOptions } from "@ikg/graph";
import { nameKey, recordLabel } from "@ikg/physical";

const kind = "application";

const found = [
  "UNWIND $names AS named",
  `CALL (named) { MATCH (r:${recordLabel} {id: named.name}) WHERE r.kind = '${kind}' AND r.project_id = $project RETURN r`,
  `UNION MATCH (r:${recordLabel} {name_key: named.key}) RETURN r }`,
  "RETURN collect({name: named.name, id: r.id}) AS rows",
].join(" ");

/** Ids of applications of one project by their ids or names; without those that do not exist. */
export const loadApplicationIds = async (
  database: Database,
  projectId: string,
  names: readonly string[],
  options: StatementOptions,
): Promise<ReadonlyMap<string, string>> => {
  if (names.length === 0) return new Map();
  const keys = [...new Set(names)].map((name) => ({ name, key: nameKey(kind, projectId, name) }));
  const [answer] = await database.read(found, { names: keys, project: projectId }, options);
  const rows = (answer?.["rows"] ?? []) as readonly Row[]; // collected above
  return new Map(rows.map(({ name, id }) => [String(name), String(id)]));
};

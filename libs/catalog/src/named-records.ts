import type { ChangeableCollection } from "@ikg/contracts";
import type { Database, Row, StatementOptions } from "@ikg/graph";
import { lookUpProperties, nameKey, recordLabel } from "@ikg/physical";

/** The present state of a policy or query, of any status. */
export interface NamedRecord {
  readonly collection: ChangeableCollection;
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly status: string;
  /** JSON as its author wrote it. */
  readonly text: string;
  /** Of a policy. */
  readonly tags: readonly string[];
  /** Of a query: the policy that it belongs to. */
  readonly policyId: string | undefined;
}

/** A record by its name, which is unique in its collection and project. */
export interface RecordName {
  readonly collection: ChangeableCollection;
  readonly name: string;
}

const kinds = {
  "authorization-policies": "authorization_policy",
  "knowledge-queries": "knowledge_query",
} as const satisfies Readonly<Record<ChangeableCollection, string>>;

const shown = `collect(r { .id, .kind, .name, .version, .data, .${lookUpProperties.status}, .${lookUpProperties.text} }) AS rows`;
const byName = `UNWIND $keys AS key MATCH (r:${recordLabel} {name_key: key}) RETURN ${shown}`;
const byId = `UNWIND $ids AS id MATCH (r:${recordLabel} {id: id}) WHERE r.project_id = $project AND r.kind = '${kinds["authorization-policies"]}' RETURN ${shown}`;

const recordOf = (row: Row): NamedRecord => {
  const data = JSON.parse(String(row["data"])) as { tags?: readonly string[]; policy_id?: string }; // written from the contract's schema
  return {
    collection: row["kind"] === kinds["knowledge-queries"] ? "knowledge-queries" : "authorization-policies",
    id: String(row["id"]),
    name: String(row["name"]),
    version: Number(row["version"]),
    status: String(row["status"]),
    text: String(row["text"]),
    tags: data.tags ?? [],
    policyId: data.policy_id,
  };
};

const recordsIn = (answer: readonly Row[]): readonly NamedRecord[] =>
  ((answer[0]?.["rows"] ?? []) as readonly Row[]).map(recordOf); // collected above

/** Reads policies and queries of one project by their names; without those that do not exist. */
export const loadNamedRecords = async (
  database: Database,
  projectId: string,
  names: readonly RecordName[],
  options: StatementOptions,
): Promise<readonly NamedRecord[]> => {
  if (names.length === 0) return [];
  const keys = names.map(({ collection, name }) => nameKey(kinds[collection], projectId, name));
  return recordsIn(await database.read(byName, { keys: [...new Set(keys)] }, options));
};

/** Reads policies of one project by their ids. */
export const loadPoliciesById = async (
  database: Database,
  projectId: string,
  ids: readonly string[],
  options: StatementOptions,
): Promise<readonly NamedRecord[]> =>
  ids.length === 0
    ? []
    : recordsIn(await database.read(byId, { ids: [...new Set(ids)], project: projectId }, options));

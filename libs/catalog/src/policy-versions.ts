import type { Database, Row, StatementOptions } from "@ikg/graph";
import {
  changeEntryLabel,
  changeLabel,
  entryOf,
  lookUpProperties,
  recordLabel,
  versionKey,
  versionLabel,
} from "@ikg/physical";
import { type Budget, compileKbac, compilePolicy } from "@ikg/policy-core";
import { decompressContent } from "./change-content.ts";
import type { StoredKbacPolicy } from "./policies.ts";
import { type StoredRow, storedRows } from "./stored.ts";

/** One version of a policy. */
export interface PolicyVersion {
  readonly id: string;
  readonly version: number;
}

/** Versions in one statement at most; texts may be large. */
const versionsAtOnce = 50;

const kind = "authorization_policy";
const isOfProject = (name: string): string => `${name}.project_id = $project AND ${name}.kind = '${kind}'`;

/** The present state of a record, or a former one, if its policy decided. */
const statement = [
  "UNWIND $versions AS wanted",
  `OPTIONAL MATCH (r:${recordLabel} {id: wanted.id}) WHERE r.version = wanted.version AND ${isOfProject("r")}`,
  `OPTIONAL MATCH (v:${versionLabel} {version_key: wanted.key}) WHERE ${isOfProject("v")}`,
  "WITH coalesce(r, v) AS x",
  `WHERE x IS NOT NULL AND x.${lookUpProperties.status} = 'ACTIVE' AND x.${lookUpProperties.policyKind} = 'kbac'`,
  `RETURN collect(x { .id, .name, .version, .create_time, .data, .${lookUpProperties.text} }) AS rows`,
].join(" ");

/** The same states as change records keep them, which outlive their records. */
const changesStatement = [
  "UNWIND $versions AS wanted",
  `MATCH (e:${changeEntryLabel} {record_id: wanted.id})-[:${entryOf}]->(c:${changeLabel})`,
  "WHERE c.project_id = $project AND e.collection = 'authorization-policies'",
  "AND (e.to_version = wanted.version OR e.from_version = wanted.version)",
  "WITH wanted, e ORDER BY e.to_version = wanted.version DESC",
  "WITH wanted, head(collect(e)) AS e",
  "RETURN wanted.id AS id, wanted.version AS version, e.name AS name, e.content AS content,",
  "e.to_version = wanted.version AS is_after",
].join(" ");

type Known = StoredKbacPolicy | "invalid";

const compileState = (state: Omit<StoredKbacPolicy, "policy">, budget: Budget | undefined): Known => {
  const checked = compileKbac(state.text, budget);
  return checked.ok ? { ...state, policy: checked.value } : "invalid";
};

const compileStored = (
  { id, name, version, data, text = "" }: StoredRow,
  budget: Budget | undefined,
): Known => {
  const tags = (data["tags"] ?? []) as readonly string[]; // written from the contract's schema
  return compileState({ id, name, version, tags, text }, budget);
};

/** A version from a change record; undefined when its policy made no decisions. */
const fromChange = async (row: Row, budget: Budget | undefined): Promise<Known | undefined> => {
  const { before, after } = await decompressContent(row["content"]);
  const content = row["is_after"] === true ? after : before;
  if (content?.["status"] !== "ACTIVE") return undefined;
  const text = String(content["policy"]);
  const policy = compilePolicy(text, budget);
  if (policy.ok && policy.value.kind !== "kbac") return undefined;
  const tags = (content["tags"] ?? []) as readonly string[]; // written from the contract's schema
  const { id, name, version } = row;
  return compileState({ id: String(id), name: String(name), version: Number(version), tags, text }, budget);
};

const slices = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / versionsAtOnce) }, (_, index) =>
    list.slice(index * versionsAtOnce, (index + 1) * versionsAtOnce),
  );

/**
 * Reads versions of the policies for decisions of one project, also former ones and those of policies that were deleted, as they
 * decided.
 *
 * @returns by `versionKey`; without those that are not stored any more. `invalid`: this version of the product refuses the text.
 */
export const loadPolicyVersions = async (
  database: Database,
  projectId: string,
  versions: readonly PolicyVersion[],
  budget: Budget | undefined,
  options: StatementOptions,
): Promise<ReadonlyMap<string, Known>> => {
  const found = new Map<string, Known>();
  for (const slice of slices(versions)) {
    options.signal?.throwIfAborted();
    const wanted = slice.map(({ id, version }) => ({ id, version, key: versionKey(id, version) }));
    const [answer] = await database.read(statement, { versions: wanted, project: projectId }, options);
    for (const row of storedRows(answer?.["rows"] ?? []))
      found.set(versionKey(row.id, row.version), compileStored(row, budget));
    const missing = wanted.filter(({ key }) => !found.has(key));
    if (missing.length === 0) continue;
    const rows = await database.read(changesStatement, { versions: missing, project: projectId }, options);
    for (const row of rows) {
      const policy = await fromChange(row, budget);
      if (policy !== undefined) found.set(versionKey(String(row["id"]), Number(row["version"])), policy);
    }
  }
  return found;
};

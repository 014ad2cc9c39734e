import type { Database, StatementOptions } from "@ikg/graph";
import { lookUpProperties, recordLabel, versionKey, versionLabel } from "@ikg/physical";
import { type Budget, compileKbac } from "@ikg/policy-core";
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

const stored = (row: StoredRow, budget: Budget | undefined): StoredKbacPolicy | "invalid" => {
  const text = row.text ?? "";
  const checked = compileKbac(text, budget);
  if (!checked.ok) return "invalid";
  const { id, name, version, data } = row;
  return { id, name, version, tags: (data["tags"] ?? []) as readonly string[], text, policy: checked.value }; // written from the contract's schema
};

/**
 * Reads versions of the policies for decisions of one project, also former ones, as they decided.
 *
 * @returns by `versionKey`; without those that are not stored any more. `invalid`: this version of the product refuses the text.
 */
export const loadPolicyVersions = async (
  database: Database,
  projectId: string,
  versions: readonly PolicyVersion[],
  budget: Budget | undefined,
  options: StatementOptions,
): Promise<ReadonlyMap<string, StoredKbacPolicy | "invalid">> => {
  const found = new Map<string, StoredKbacPolicy | "invalid">();
  for (let at = 0; at < versions.length; at += versionsAtOnce) {
    options.signal?.throwIfAborted();
    const wanted = versions
      .slice(at, at + versionsAtOnce)
      .map(({ id, version }) => ({ id, version, key: versionKey(id, version) }));
    const [answer] = await database.read(statement, { versions: wanted, project: projectId }, options);
    for (const row of storedRows(answer?.["rows"] ?? []))
      found.set(versionKey(row.id, row.version), stored(row, budget));
  }
  return found;
};

import { effectiveLimits, type Gid, type LimitBounds, Problem, storedLimits } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import {
  partOf,
  recordLabel,
  type RecordLabelKind,
  recordLabels,
  recordUsageLabel,
  takeLock,
} from "@ikg/physical";
import type { StoredRecord } from "./record.ts";

/** What an organization may have besides what its projects contain. */
export interface OrganizationLimits {
  readonly projects: number;
  readonly serviceAccounts: number;
}

export interface UsageLimits {
  readonly projects: LimitBounds;
  readonly organization: OrganizationLimits;
}

/** What a write adds to the records of one kind; negative where it removes. */
export interface UsageChange {
  readonly kind: RecordLabelKind;
  readonly count: number;
  readonly bytes: number;
}

/** Credentials of service accounts for each of those that an organization may have, expired ones included. */
const credentialsPerAccount = 20;
/** Role bindings over the organization for each of the service accounts that it may have. */
const bindingsPerAccount = 10;
/** Age of a count after which a refusal counts again. */
const recountMs = 60_000;

/** Locked by every write, after the records themselves. */
const lockText = [
  `MATCH (r:${recordLabel} {id: $key}) MERGE (u:${recordUsageLabel} {key: $key}) ${takeLock("u")}`,
  "RETURN r.kind AS owner, r.data AS data, properties(u) AS usage",
].join(" ");
const setText = `MATCH (u:${recordUsageLabel} {key: $key}) SET u = $usage`;
const dropText = `UNWIND $keys AS key MATCH (u:${recordUsageLabel} {key: key}) DELETE u`;

const sums = (name: string): string =>
  `RETURN ${name}.kind AS kind, count(*) AS count, ` +
  `sum(coalesce(${name}.content_bytes, size(${name}.data) + size(coalesce(${name}.text, '')))) AS bytes`;
const ofProjectText = `MATCH (r:${recordLabel} {project_id: $key}) WHERE r.kind <> 'project' ${sums("r")}`;
const ofOrganizationText = [
  `MATCH (:${recordLabel} {id: $key})<-[:${partOf}]-(r:${recordLabel})`,
  // A role binding over a project counts there.
  `WHERE r.kind <> 'role_binding' OR r.project_id IS NULL ${sums("r")}`,
  `UNION MATCH (:${recordLabel} {id: $key})<-[:${partOf}]-(:${recordLabels.service_account})<-[:${partOf}]-(c:${recordLabel})`,
  sums("c"),
].join(" ");

/** Counts by kind, the bytes of all, and when they were counted. */
type Usage = Readonly<Record<string, number>>;

const countAll = async (tx: Transaction, key: Gid, isProject: boolean, now: number): Promise<Usage> => {
  const rows = await tx.run(isProject ? ofProjectText : ofOrganizationText, { key });
  const counts = rows.map((row) => [String(row["kind"]), Number(row["count"])] as const);
  const bytes = rows.reduce((sum, row) => sum + Number(row["bytes"]), 0);
  return { ...Object.fromEntries(counts), bytes, count_time: now };
};

const changed = (usage: Usage, changes: readonly UsageChange[]): Usage => {
  const next: Record<string, number> = { ...usage };
  for (const { kind, count, bytes } of changes) {
    next[kind] = Math.max(0, (next[kind] ?? 0) + count);
    next["bytes"] = Math.max(0, (next["bytes"] ?? 0) + bytes);
  }
  return next;
};

const kinds = Object.keys(recordLabels) as readonly RecordLabelKind[]; // of the object's own names
const sumOf = (usage: Usage): number => kinds.reduce((sum, kind) => sum + (usage[kind] ?? 0), 0);

interface Bound {
  /** How much there is of what it bounds. */
  readonly of: (usage: Usage) => number;
  readonly limit: number;
  readonly what: string;
  /** The name of the limit. */
  readonly name: string;
}

const ofKind =
  (kind: RecordLabelKind) =>
  (usage: Usage): number =>
    usage[kind] ?? 0;

const limitedKinds = {
  authorization_policies: "authorization_policy",
  knowledge_queries: "knowledge_query",
  trust_score_profiles: "trust_score_profile",
} as const satisfies Readonly<Record<string, RecordLabelKind>>;

const projectBounds = (data: string, bounds: LimitBounds): readonly Bound[] => {
  const { limits: stored } = JSON.parse(data) as { limits?: unknown }; // written by this service
  const limits = effectiveLimits(storedLimits(stored), bounds);
  const names = Object.keys(limitedKinds) as readonly (keyof typeof limitedKinds)[]; // of the object's own names
  return [
    ...names.map((name) => ({
      of: ofKind(limitedKinds[name]),
      limit: limits[name],
      what: name.replaceAll("_", " "),
      name,
    })),
    { of: sumOf, limit: limits.records, what: "records", name: "records" },
    {
      of: (usage) => usage["bytes"] ?? 0,
      limit: limits.configuration_bytes,
      what: "bytes of records",
      name: "configuration_bytes",
    },
  ];
};

const organizationBounds = ({ projects, serviceAccounts }: OrganizationLimits): readonly Bound[] => [
  { of: ofKind("project"), limit: projects, what: "projects", name: "PROJECTS_PER_ORGANIZATION" },
  {
    of: ofKind("service_account"),
    limit: serviceAccounts,
    what: "service accounts",
    name: "SERVICE_ACCOUNTS_PER_ORGANIZATION",
  },
  {
    of: ofKind("service_account_credential"),
    limit: serviceAccounts * credentialsPerAccount,
    what: "credentials of service accounts",
    name: `${credentialsPerAccount} times SERVICE_ACCOUNTS_PER_ORGANIZATION`,
  },
  {
    of: ofKind("role_binding"),
    limit: serviceAccounts * bindingsPerAccount,
    what: "role bindings",
    name: `${bindingsPerAccount} times SERVICE_ACCOUNTS_PER_ORGANIZATION`,
  },
];

/** What grows beyond its limit; what shrinks or stays is never refused. */
const exceeded = (bounds: readonly Bound[], usage: Usage, next: Usage): readonly Bound[] =>
  bounds.filter(({ of, limit }) => of(next) > of(usage) && of(next) > limit);

/**
 * Counts a write against the limits of the project, or of the organization, that has the records. The counts are kept beside the
 * records, so that no write looks at all of them.
 *
 * @throws Problem `unprocessable` naming the limit.
 */
export const countUsage = async (
  tx: Transaction,
  limits: UsageLimits,
  key: Gid,
  changes: readonly UsageChange[],
  now: number,
): Promise<void> => {
  const [row] = await tx.run(lockText, { key });
  if (row === undefined) throw new Error("the owner of a record is gone");
  const isProject = row["owner"] === "project";
  const bounds = isProject
    ? projectBounds(String(row["data"]), limits.projects)
    : organizationBounds(limits.organization);
  const kept = row["usage"] as Usage; // written below
  const { count_time: countTime } = kept;
  let usage = countTime === undefined ? await countAll(tx, key, isProject, now) : kept;
  const isOver = (): boolean => exceeded(bounds, usage, changed(usage, changes)).length > 0;
  // A replica of an older release does not count what it writes.
  if (countTime !== undefined && now - countTime >= recountMs && isOver())
    usage = await countAll(tx, key, isProject, now);
  const owner = isProject ? "project" : "organization";
  const over = exceeded(bounds, usage, changed(usage, changes));
  if (over.length > 0)
    throw new Problem("unprocessable", {
      errors: over.map(
        ({ of, limit, what, name }) =>
          `${owner}_id: the ${owner} has ${of(usage)} ${what} and may have ${limit} (limit ${name})`,
      ),
    });
  await tx.run(setText, { key, usage: { ...changed(usage, changes), key } });
};

/** Counts all records of a project or organization again, unless it is gone. */
export const recountUsage = async (tx: Transaction, key: Gid, now: number): Promise<void> => {
  const [row] = await tx.run(lockText, { key });
  if (row === undefined) return;
  const usage = await countAll(tx, key, row["owner"] === "project", now);
  await tx.run(setText, { key, usage: { ...usage, key } });
};

/** The project or organization whose count has a record. */
export const ownerOf = ({
  kind,
  projectId,
  organizationId,
}: Pick<StoredRecord, "kind" | "projectId" | "organizationId">): Gid =>
  kind === "project" ? organizationId : (projectId ?? organizationId);

/** Counts records that this transaction removes, for the project or organization that has them. */
export const countRemoved = async (
  tx: Transaction,
  limits: UsageLimits,
  records: readonly StoredRecord[],
  now: number,
): Promise<void> => {
  const projects = new Set(records.filter(({ kind }) => kind === "project").map(({ id }) => id));
  if (projects.size > 0) await tx.run(dropText, { keys: [...projects] });
  const others = records.filter((record) => !projects.has(ownerOf(record)));
  for (const [key, removed] of Map.groupBy(others, ownerOf)) {
    const changes = removed.map(({ kind, bytes = 0 }) => ({ kind, count: -1, bytes: -bytes }));
    await countUsage(tx, limits, key, changes, now);
  }
};

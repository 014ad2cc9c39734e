import { type ProjectSnapshot, questionKey, type StoredKbacPolicy } from "@ikg/catalog";
import { Problem, type ChangeSetEntry } from "@ikg/contracts";
import type { KeptTags } from "./kept-tags.ts";
import { type Budget, compilePolicy, type KbacPolicy } from "@ikg/policy-core";

/** A policy for decisions that a set changes: as it decides before, and as it would decide after. */
export interface ChangedPolicy {
  readonly name: string;
  readonly before: StoredKbacPolicy | undefined;
  readonly after: StoredKbacPolicy | undefined;
}

/** A project as it would be, and the policies for decisions that differ. */
export interface AfterChanges {
  readonly snapshot: ProjectSnapshot;
  readonly changed: readonly ChangedPolicy[];
}

type PutPolicy = Extract<ChangeSetEntry, { op: "put"; collection: "authorization-policies" }>;

/** Compiles the policy of a change; no policy where it would decide nothing. Faults begin with their field. */
const compileChange = (
  { name, record }: PutPolicy,
  before: StoredKbacPolicy | undefined,
  keptTags: KeptTags,
  budget: Budget | undefined,
): { readonly policy?: StoredKbacPolicy; readonly faults: readonly string[] } => {
  const { policy: text, status, tags } = record;
  if (status === "DRAFT") return { faults: [] };
  const checked = compilePolicy(text, budget);
  if (!checked.ok) return { faults: checked.faults };
  if (status !== "ACTIVE" || checked.value.kind !== "kbac") return { faults: [] };
  const kbac: KbacPolicy = checked.value;
  const stored: StoredKbacPolicy = {
    id: before?.id ?? "", // a policy that does not exist has no id yet, and it is not read
    name,
    version: (before?.version ?? 0) + 1,
    tags: tags ?? before?.tags ?? keptTags.get(name) ?? [],
    text,
    policy: kbac,
  };
  return { policy: stored, faults: [] };
};

const isSame = (before: StoredKbacPolicy | undefined, after: StoredKbacPolicy | undefined): boolean =>
  before === undefined || after === undefined
    ? before === after
    : before.text === after.text &&
      before.tags.length === after.tags.length &&
      before.tags.every((tag, index) => tag === after.tags[index]);

const none: readonly StoredKbacPolicy[] = [];

/** The candidates of every question, each list made once: statements are kept by it. */
const candidateLists = (
  policies: readonly StoredKbacPolicy[],
): ReadonlyMap<string, readonly StoredKbacPolicy[]> => {
  const lists = new Map<string, StoredKbacPolicy[]>();
  for (const stored of policies) {
    const { subjectType, actions, resourceType } = stored.policy;
    for (const action of actions) {
      const key = questionKey(subjectType, action, resourceType);
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [stored]);
      else list.push(stored);
    }
  }
  return lists;
};

/** A project as it would be with other policies for decisions. */
export const withPolicies = (
  snapshot: ProjectSnapshot,
  policies: readonly StoredKbacPolicy[],
): ProjectSnapshot => {
  const candidates = candidateLists(policies);
  return {
    ...snapshot,
    kbacPolicies: () => policies,
    kbacCandidates: (subject, action, resource) =>
      candidates.get(questionKey(subject, action, resource)) ?? none,
  };
};

/** The policies after the changes: those that change keep their places, new ones come last. */
const applyChanges = (
  policies: readonly StoredKbacPolicy[],
  changed: readonly ChangedPolicy[],
): readonly StoredKbacPolicy[] => {
  const byName = new Map(changed.map((change) => [change.name, change]));
  const kept = policies.flatMap((policy) => {
    const change = byName.get(policy.name);
    return change === undefined ? [policy] : (change.after ?? []);
  });
  const added = changed.flatMap(({ before, after }) => (before === undefined && after ? [after] : []));
  return [...kept, ...added];
};

/**
 * A project as it would be after changes of its policies for decisions. Records that decide nothing today, because they
 * are not ACTIVE, count as absent.
 *
 * @param keptTags as `loadKeptTags` reads them.
 * @throws Problem "unprocessable" (422) with every fault of every text, each with its place.
 */
export const afterChanges = (
  snapshot: ProjectSnapshot,
  changes: readonly ChangeSetEntry[],
  keptTags: KeptTags,
  budget: Budget | undefined,
): AfterChanges => {
  const today = new Map(snapshot.kbacPolicies().map((policy) => [policy.name, policy]));
  const changed: ChangedPolicy[] = [];
  const faults: string[] = [];
  for (const [index, change] of changes.entries()) {
    if (change.collection !== "authorization-policies") continue;
    const { name } = change;
    const before = today.get(name);
    const result = change.op === "put" ? compileChange(change, before, keptTags, budget) : { faults: [] };
    faults.push(...result.faults.map((fault) => `changes[${index}].${fault}`));
    const after = "policy" in result ? result.policy : undefined;
    if (!isSame(before, after)) changed.push({ name, before, after });
  }
  if (faults.length > 0) throw new Problem("unprocessable", { errors: faults });
  return { snapshot: withPolicies(snapshot, applyChanges(snapshot.kbacPolicies(), changed)), changed };
};

import { type ChangeableCollection, type Gid, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import type { GraphSchema, UnreadSchema } from "@ikg/policy-core/warnings";
import type { Collection } from "../records/collection.ts";
import { type Dependent, dependentsOf } from "../records/dependents.ts";
import { readGraphSchema } from "../records/graph-schema.ts";
import { kindOf } from "../history/kinds.ts";
import type { Data, StoredRecord } from "../records/record.ts";
import type { CallerContext, Store } from "../records/store.ts";
import type { CurrentRecords } from "./current-records.ts";
import { validatePut, type ValidatedChange, type Put } from "./validate-put.ts";
import type { PlannedChange } from "./planned-change.ts";

/** The store and caller of a change set, and the state before it. */
export interface ChangeSetContext {
  readonly store: Store;
  readonly caller: CallerContext;
  readonly current: CurrentRecords;
}

const collectionOf = ({ collections }: Store, name: ChangeableCollection): Collection => {
  const collection = collections.get(kindOf[name]);
  if (collection === undefined) throw new Error(`no collection of ${name}`);
  return collection;
};

/** The policy that a query names, before the change set. */
const policyNamed = (
  { record }: Extract<Put, { readonly collection: "knowledge-queries" }>,
  current: CurrentRecords,
): { readonly name: string; readonly id: Gid | undefined } | undefined => {
  if (record.policy !== undefined)
    return { name: record.policy, id: current.named("authorization_policy", record.policy)?.id };
  const policy = record.policy_id === undefined ? undefined : current.policy(record.policy_id);
  return policy === undefined ? undefined : { name: policy.name ?? "", id: policy.id };
};

/**
 * Stored dependents of each policy that the change set does not change itself; its own queries are validated with their own
 * changes.
 */
const dependentsOutside = async (
  tx: Transaction,
  changes: readonly PlannedChange[],
  current: CurrentRecords,
): Promise<(policyName: string) => readonly Dependent[]> => {
  const named = (kind: "authorization_policy" | "knowledge_query"): ReadonlySet<Gid> =>
    new Set(
      changes.flatMap(({ change }) => {
        const record = kindOf[change.collection] === kind ? current.named(kind, change.name) : undefined;
        return record === undefined ? [] : [record.id];
      }),
    );
  const queries = named("knowledge_query");
  const dependents = await dependentsOf(tx, [...named("authorization_policy")]);
  return (name) => {
    const id = current.named("authorization_policy", name)?.id;
    return id === undefined ? [] : (dependents.get(id) ?? []).filter((each) => !queries.has(each.id));
  };
};

/** Policies after the change set, by name; null where the policy's own change is invalid, so that queries are not validated against it. */
type PoliciesAfter = ReadonlyMap<string, StoredRecord | null | undefined>;

const putRecord = ({ record }: Put): Data => ({ ...record });

const validateQueryPut = (
  put: Extract<Put, { readonly collection: "knowledge-queries" }>,
  { store, caller, current }: ChangeSetContext,
  after: PoliciesAfter,
  schema: GraphSchema | UnreadSchema | undefined,
  now: Date,
): ValidatedChange => {
  const collection = collectionOf(store, put.collection);
  const record = current.named("knowledge_query", put.name);
  const unchanged: ValidatedChange = { transition: { before: record, after: record } };
  const named = policyNamed(put, current);
  const field = put.record.policy === undefined ? "policy_id" : "policy";
  const policy =
    named === undefined || after.has(named.name)
      ? after.get(named?.name ?? "")
      : current.named("authorization_policy", named.name);
  // Errors of the policy are reported where it is put.
  if (policy === null) return { ...unchanged, faults: [] };
  if (policy === undefined)
    return { ...unchanged, faults: [`record.${field}: no such policy exists after the changes`] };
  const { policy: _name, ...content } = { ...putRecord(put), policy_id: policy.id } as Data;
  return validatePut(collection, put, content, {
    store,
    caller,
    now,
    project: current.project,
    current: record,
    references: new Map([["policy_id", policy]]),
    schema,
    isUsed: false,
  });
};

const validateDelete = (
  kind: "authorization_policy" | "knowledge_query",
  name: string,
  current: CurrentRecords,
  dependents: readonly Dependent[],
): ValidatedChange => {
  const record = current.named(kind, name);
  const transition = { before: record, after: undefined };
  if (record === undefined)
    return { transition, faults: [`name: there is no ${kind.replaceAll("_", " ")} of this name`] };
  const faults = dependents.map(({ description }) => `name: used by ${description}`);
  return faults.length > 0 ? { transition, faults } : { transition };
};

/**
 * Validates every change of a set against the state after all of them, whatever their order: policies before the queries
 * that name them, and deletions against the dependents that remain.
 *
 * @returns one result for each change, in their order.
 * @throws Problem `unprocessable` with every fault of every change, each with its path.
 */
export const validateChangeSet = async (
  tx: Transaction,
  changes: readonly PlannedChange[],
  context: ChangeSetContext,
): Promise<readonly ValidatedChange[]> => {
  const { store, caller, current } = context;
  const now = store.now();
  const dependentsOfPolicy = await dependentsOutside(tx, changes, current);
  const schema = await readGraphSchema(tx, current.project, store, caller);
  const validated = new Map<PlannedChange, ValidatedChange>();
  const after = new Map<string, StoredRecord | null | undefined>();
  const policies = changes.filter(({ change }) => change.collection === "authorization-policies");
  for (const planned of policies) {
    const { change } = planned;
    const record = current.named("authorization_policy", change.name);
    const dependents = dependentsOfPolicy(change.name);
    const result =
      change.op === "delete"
        ? validateDelete("authorization_policy", change.name, current, dependents)
        : validatePut(collectionOf(store, change.collection), change, putRecord(change), {
            store,
            caller,
            now,
            project: current.project,
            current: record,
            references: new Map(),
            schema,
            isUsed: dependents.length > 0,
          });
    validated.set(planned, result);
    after.set(
      change.name,
      change.op === "put" && result.faults !== undefined ? null : result.transition.after,
    );
  }
  for (const planned of changes) {
    const { change } = planned;
    if (change.collection !== "knowledge-queries") continue;
    const result =
      change.op === "delete"
        ? validateDelete("knowledge_query", change.name, current, [])
        : validateQueryPut(change, context, after, schema, now);
    validated.set(planned, result);
  }
  const all = changes.map((planned) => validated.get(planned)).filter((each) => each !== undefined);
  const faults = all.flatMap(({ faults: own = [] }, index) => own.map((each) => `changes[${index}].${each}`));
  if (faults.length > 0) throw new Problem("unprocessable", { errors: faults });
  return all;
};

import { type ChangeableCollection, type Gid, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import type { GraphSchema, UnreadSchema } from "@ikg/policy-core/warnings";
import type { Collection } from "../records/collection.ts";
import { readGraphSchema } from "../records/graph-schema.ts";
import { kindOf } from "../history/kinds.ts";
import type { Data, StoredRecord } from "../records/record.ts";
import type { CallerContext, Store } from "../records/store.ts";
import type { CurrentRecords } from "./current-records.ts";
import { judgePut, type JudgedChange, type Put } from "./judge-put.ts";
import type { PlannedChange } from "./planned-change.ts";
import { type User, usersOfAll } from "./users.ts";

/** Where and by whom a set is judged. */
export interface SetSurroundings {
  readonly store: Store;
  readonly caller: CallerContext;
  readonly current: CurrentRecords;
}

const collectionOf = ({ collections }: Store, name: ChangeableCollection): Collection => {
  const collection = collections.get(kindOf[name]);
  if (collection === undefined) throw new Error(`no collection of ${name}`);
  return collection;
};

/** The policy that a query names, as it is before the set. */
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
 * Who uses a policy now and is not in the set. What the set makes of its own queries is judged where they are put.
 */
const usersBesides = async (
  tx: Transaction,
  changes: readonly PlannedChange[],
  current: CurrentRecords,
): Promise<(policyName: string) => readonly User[]> => {
  const named = (kind: "authorization_policy" | "knowledge_query"): ReadonlySet<Gid> =>
    new Set(
      changes.flatMap(({ change }) => {
        const record = kindOf[change.collection] === kind ? current.named(kind, change.name) : undefined;
        return record === undefined ? [] : [record.id];
      }),
    );
  const queries = named("knowledge_query");
  const users = await usersOfAll(tx, [...named("authorization_policy")]);
  return (name) => {
    const id = current.named("authorization_policy", name)?.id;
    return id === undefined ? [] : (users.get(id) ?? []).filter((user) => !queries.has(user.id));
  };
};

/** Policies as they are after the set, by name; null where its own change is at fault, so that nothing is judged by it. */
type PoliciesAfter = ReadonlyMap<string, StoredRecord | null | undefined>;

const putRecord = ({ record }: Put): Data => ({ ...record });

const judgeQuery = (
  put: Extract<Put, { readonly collection: "knowledge-queries" }>,
  { store, caller, current }: SetSurroundings,
  after: PoliciesAfter,
  schema: GraphSchema | UnreadSchema | undefined,
  now: Date,
): JudgedChange => {
  const collection = collectionOf(store, put.collection);
  const record = current.named("knowledge_query", put.name);
  const nothing: JudgedChange = { transition: { before: record, after: record } };
  const named = policyNamed(put, current);
  const field = put.record.policy === undefined ? "policy_id" : "policy";
  const policy =
    named === undefined || after.has(named.name)
      ? after.get(named?.name ?? "")
      : current.named("authorization_policy", named.name);
  // Errors of the policy are reported where it is put.
  if (policy === null) return { ...nothing, faults: [] };
  if (policy === undefined)
    return { ...nothing, faults: [`record.${field}: there is no such policy after the changes`] };
  const { policy: _name, ...content } = { ...putRecord(put), policy_id: policy.id } as Data;
  return judgePut(collection, put, content, {
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

const judgeDelete = (
  kind: "authorization_policy" | "knowledge_query",
  name: string,
  current: CurrentRecords,
  users: readonly User[],
): JudgedChange => {
  const record = current.named(kind, name);
  const transition = { before: record, after: undefined };
  if (record === undefined)
    return { transition, faults: [`name: there is no ${kind.replaceAll("_", " ")} of this name`] };
  const faults = users.map(({ words }) => `name: used by ${words}`);
  return faults.length > 0 ? { transition, faults } : { transition };
};

/**
 * Judges every change of a set against the state after all of them, whatever their order: policies before the queries that
 * name them, and deletions with what is left.
 *
 * @returns as many as there are changes, in their order.
 * @throws Problem `unprocessable` with every fault of every change, each with its place.
 */
export const judgeSet = async (
  tx: Transaction,
  changes: readonly PlannedChange[],
  surroundings: SetSurroundings,
): Promise<readonly JudgedChange[]> => {
  const { store, caller, current } = surroundings;
  const now = store.now();
  const users = await usersBesides(tx, changes, current);
  const schema = await readGraphSchema(tx, current.project, store, caller);
  const judged = new Map<PlannedChange, JudgedChange>();
  const after = new Map<string, StoredRecord | null | undefined>();
  const policies = changes.filter(({ change }) => change.collection === "authorization-policies");
  for (const planned of policies) {
    const { change } = planned;
    const record = current.named("authorization_policy", change.name);
    const used = users(change.name);
    const result =
      change.op === "delete"
        ? judgeDelete("authorization_policy", change.name, current, used)
        : judgePut(collectionOf(store, change.collection), change, putRecord(change), {
            store,
            caller,
            now,
            project: current.project,
            current: record,
            references: new Map(),
            schema,
            isUsed: used.length > 0,
          });
    judged.set(planned, result);
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
        ? judgeDelete("knowledge_query", change.name, current, [])
        : judgeQuery(change, surroundings, after, schema, now);
    judged.set(planned, result);
  }
  const all = changes.map((planned) => judged.get(planned)).filter((each) => each !== undefined);
  const faults = all.flatMap(({ faults: own = [] }, index) => own.map((each) => `changes[${index}].${each}`));
  if (faults.length > 0) throw new Problem("unprocessable", { errors: faults });
  return all;
};

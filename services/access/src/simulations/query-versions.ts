import { loadNamedRecords, loadPoliciesById, type NamedRecord, type RecordName } from "@ikg/catalog";
import { Problem, type ChangeSetEntry } from "@ikg/contracts";
import type { Database, StatementOptions } from "@ikg/graph";
import { type Budget, type Checked, type CiqPolicy, compileCiq } from "@ikg/policy-core";
import { compileQuery, type KnowledgeQuery } from "@ikg/policy-core/queries";

/** A query that can be called, with the policy that it belongs to. */
export interface CallableQuery {
  readonly policy: CiqPolicy;
  readonly query: Checked<KnowledgeQuery>;
}

/** A query as it is and as it would be; undefined where it could not be called: it is not ACTIVE, or its policy is not. */
export interface QueryVersions {
  readonly before: CallableQuery | undefined;
  readonly after: CallableQuery | undefined;
}

type Put<C extends ChangeSetEntry["collection"]> = Extract<ChangeSetEntry, { op: "put"; collection: C }>;

/** A policy or query in one of the two states. */
interface State {
  readonly status: string;
  readonly text: string;
}

/** A query in one of the two states; `policy` is undefined where it names none that exists. */
interface QueryState extends State {
  readonly policy: State | undefined;
}

const isPut =
  <C extends ChangeSetEntry["collection"]>(collection: C) =>
  (change: ChangeSetEntry): change is Put<C> =>
    change.op === "put" && change.collection === collection;
const isQueryPut = isPut("knowledge-queries");
const isPolicyPut = isPut("authorization-policies");

/** The records that queries and changes of them are about. */
class Records {
  readonly #records: readonly NamedRecord[];
  readonly #changes: readonly ChangeSetEntry[];

  constructor(records: readonly NamedRecord[], changes: readonly ChangeSetEntry[]) {
    this.#records = records;
    this.#changes = changes;
  }

  #stored({ collection, name }: RecordName): NamedRecord | undefined {
    return this.#records.find((each) => each.collection === collection && each.name === name);
  }

  #byId(id: string | undefined): NamedRecord | undefined {
    return this.#records.find((each) => each.id === id);
  }

  #change({ collection, name }: RecordName): ChangeSetEntry | undefined {
    return this.#changes.find((each) => each.collection === collection && each.name === name);
  }

  #policyAfter(name: string): State | undefined {
    const key = { collection: "authorization-policies", name } as const;
    const change = this.#change(key);
    if (change === undefined) return this.#stored(key);
    return isPolicyPut(change) ? { status: change.record.status, text: change.record.policy } : undefined;
  }

  before(name: string): QueryState | undefined {
    const stored = this.#stored({ collection: "knowledge-queries", name });
    return stored && { ...stored, policy: this.#byId(stored.policyId) };
  }

  after(name: string): QueryState | undefined {
    const key = { collection: "knowledge-queries", name } as const;
    const change = this.#change(key);
    if (change !== undefined && !isQueryPut(change)) return undefined;
    const stored = this.#stored(key);
    const named = change?.record.policy ?? this.#byId(change?.record.policy_id ?? stored?.policyId)?.name;
    const policy = named === undefined ? undefined : this.#policyAfter(named);
    if (change !== undefined) return { status: change.record.status, text: change.record.query, policy };
    return stored && { ...stored, policy };
  }
}

const isActive = (state: State | undefined): state is State => state?.status === "ACTIVE";

const toCallable = (state: QueryState | undefined, budget: Budget): CallableQuery | undefined => {
  if (!isActive(state) || !isActive(state.policy)) return undefined;
  const policy = compileCiq(state.policy.text, budget);
  if (!policy.ok) return undefined;
  return { policy: policy.value, query: compileQuery(state.text, policy.value, budget) };
};

/** What is wrong with a query that a set puts; the faults of its policy are reported where that is put. */
const faultsOf = ({ record }: Put<"knowledge-queries">, records: Records, name: string, budget: Budget) => {
  const field = record.policy === undefined ? "policy_id" : "policy";
  const policy = records.after(name)?.policy;
  if (policy === undefined) return [`record.${field}: no such policy exists after the changes`];
  if (record.status === "DRAFT") return [];
  const compiled = policy.status === "DRAFT" ? undefined : compileCiq(policy.text, budget);
  if (!compiled?.ok) return [`record.${field}: a valid CIQ policy expected`];
  const query = compileQuery(record.query, compiled.value, budget);
  return query.ok ? [] : query.faults;
};

export interface QueryVersionsParts {
  /** Where configuration records live. */
  readonly database: Database;
  readonly projectId: string;
  readonly budget: Budget;
  readonly options: StatementOptions;
}

const loadRecords = async (
  { database, projectId, options }: QueryVersionsParts,
  changes: readonly ChangeSetEntry[],
  queries: readonly string[],
): Promise<Records> => {
  const puts = changes.filter(isQueryPut);
  const named = puts.flatMap(({ record: { policy } }) => policy ?? []);
  const records = await loadNamedRecords(
    database,
    projectId,
    [
      ...changes,
      ...named.map((name) => ({ collection: "authorization-policies", name }) as const),
      ...queries.map((name) => ({ collection: "knowledge-queries", name }) as const),
    ],
    options,
  );
  const ids = [
    ...records.flatMap(({ policyId }) => policyId ?? []),
    ...puts.flatMap(({ record }) => record.policy_id ?? []),
  ];
  const known = new Set(records.map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  return new Records(
    [...records, ...(await loadPoliciesById(database, projectId, missing, options))],
    changes,
  );
};

/**
 * Reads queries as they are stored, and as they would be after changes.
 *
 * @param queries names.
 * @returns as many as there are names, in their order.
 * @throws Problem "unprocessable" (422) for queries of the set that cannot be saved, and for names that no query has before or
 *   after.
 */
export const loadQueryVersions = async (
  parts: QueryVersionsParts,
  changes: readonly ChangeSetEntry[],
  queries: readonly string[],
): Promise<readonly QueryVersions[]> => {
  if (queries.length === 0 && !changes.some(isQueryPut)) return [];
  const { budget } = parts;
  const records = await loadRecords(parts, changes, queries);
  const errors = [
    ...changes.flatMap((change, index) =>
      isQueryPut(change)
        ? faultsOf(change, records, change.name, budget).map((fault) => `changes[${index}].${fault}`)
        : [],
    ),
    ...queries.flatMap((name, index) =>
      records.before(name) === undefined && records.after(name) === undefined
        ? [`queries[${index}].name: no knowledge query of this name, neither before nor after the changes`]
        : [],
    ),
  ];
  if (errors.length > 0) throw new Problem("unprocessable", { errors });
  return queries.map((name) => ({
    before: toCallable(records.before(name), budget),
    after: toCallable(records.after(name), budget),
  }));
};

import type { StoredQuery } from "@ikg/catalog";
import type { QueryExplanation } from "@ikg/contracts";
import type { Database, StatementOptions } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import type { KnowledgeQuery } from "@ikg/policy-core/queries";
import { type Answer, runStatements, explainRead, type ReadExplanation } from "@ikg/policy-core/explain";
import type { EntryWrites } from "@ikg/policy-core/statements";
import type { ResolverCall } from "./resolver-call.ts";
import { toExplanation } from "./explanation.ts";

/** The number of rows that a statement returned. */
interface RowCount {
  readonly count: number;
}

/** Collects the explanation of one execution; the answer stays the same. */
export interface Explainer {
  /** Runs the statement of the answer so that the database counts its work. */
  countWork<A extends RowCount>(read: (options: StatementOptions) => Promise<A>): Promise<A>;
  /** Explains the match of a writing query before it writes, because the write changes the graph. */
  explainMatch(text: string): Promise<void>;
  /** Called with the writes of the transaction; the last attempt counts. */
  readonly recordWrites: (entries: readonly EntryWrites[]) => void;
  readonly recordCalls: (calls: readonly ResolverCall[]) => void;
  /**
   * The explanation; for a reading query it runs further statements, which only read.
   *
   * @throws only the signal's reason: parts that take too long are left out, or `unknown`.
   */
  explanation(): Promise<QueryExplanation>;
}

/** The execution that is explained. */
export interface ExplainedExecution {
  readonly database: Database;
  readonly stored: StoredQuery;
  readonly query: KnowledgeQuery;
  readonly pk: ProjectKey;
  /** The parameter `$__row`. */
  readonly row: Readonly<Record<string, unknown>>;
  readonly options: StatementOptions;
  /** Milliseconds that an explanation may take in addition to the answer. */
  readonly limitMs: number;
  /** Deadline of the answer and the explanation. */
  readonly deadline: number;
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/** The cost of the statements of an explanation. */
interface ExplanationCost {
  statements: number;
  hits: number;
  milliseconds: number;
}

type Now = () => number;

/** Runs work for the explanation alone; `work` is given a function that returns the milliseconds left for it. */
const withExplanationBudget = async <T>(
  { limitMs, deadline }: ExplainedExecution,
  cost: ExplanationCost,
  now: Now,
  work: (leftMs: () => number) => Promise<T>,
): Promise<T> => {
  const started = now();
  const end = Math.min(started + limitMs - cost.milliseconds, deadline);
  try {
    return await work(() => Math.max(1, end - now()));
  } finally {
    cost.milliseconds += now() - started;
  }
};

/** @param hasRows true when the query has rows in any case */
const explain = (
  execution: ExplainedExecution,
  cost: ExplanationCost,
  now: Now,
  hasRows: boolean,
): Promise<ReadExplanation> =>
  withExplanationBudget(execution, cost, now, (leftMs) => {
    const { database, query, pk, row, options } = execution;
    const ask = async (text: string): Promise<Answer> => {
      cost.statements++;
      try {
        const onWork = (count: number): void => void (cost.hits += count);
        return await database.read(text, { __row: row }, { ...options, timeoutMs: leftMs() / 2, onWork });
      } catch {
        options.signal?.throwIfAborted();
        return undefined;
      }
    };
    return runStatements(explainRead(query, pk, hasRows), ask);
  });

type StatementExplanation = NonNullable<QueryExplanation["statement"]>;

/** Runs a statement so that the database counts its work. */
const count = async <A extends RowCount>(
  read: (options: StatementOptions) => Promise<A>,
  options: StatementOptions,
  now: Now,
): Promise<{ readonly answer: A; readonly statement: StatementExplanation }> => {
  const started = now();
  let hits = 0;
  const answer = await read({ ...options, onWork: (each) => void (hits += each) });
  const milliseconds = rounded(now() - started);
  return { answer, statement: { rows: answer.count, database_hits: hits, milliseconds } };
};

/** Counts the rows of the match of a writing query; undefined when that takes too long. */
const countMatch = (execution: ExplainedExecution, cost: ExplanationCost, now: Now, text: string) =>
  withExplanationBudget(execution, cost, now, async (leftMs) => {
    const { database, row, options } = execution;
    // Rows are counted and not kept.
    const read = async (each: StatementOptions): Promise<RowCount> => {
      const rows = await database.read(text, { __row: row }, { ...each, onRow: () => true });
      return { count: rows.length };
    };
    try {
      return (await count(read, { ...options, timeoutMs: leftMs() }, now)).statement;
    } catch {
      options.signal?.throwIfAborted();
      return undefined;
    }
  });

/** @param now milliseconds of a clock that only goes forward. */
export const openExplainer = (
  execution: ExplainedExecution,
  now: Now = () => performance.now(),
): Explainer => {
  const cost: ExplanationCost = { statements: 0, hits: 0, milliseconds: 0 };
  let explained: ReadExplanation | undefined;
  let statement: StatementExplanation | undefined;
  let written: QueryExplanation["written"];
  let resolvers: QueryExplanation["resolvers"];
  return {
    countWork: async (read) => {
      const counted = await count(read, execution.options, now);
      statement = counted.statement;
      return counted.answer;
    },
    explainMatch: async (text) => {
      explained = await explain(execution, cost, now, false);
      statement = await countMatch(execution, cost, now, text);
    },
    recordWrites: (entries) => {
      written = [...entries];
    },
    recordCalls: (calls) => {
      if (calls.length === 0) return;
      resolvers = calls.map(({ resolver, outcome, ms }) => ({
        resolver,
        outcome,
        milliseconds: rounded(ms),
      }));
    },
    explanation: async () => {
      explained ??= await explain(execution, cost, now, statement !== undefined && statement.rows > 0);
      const { id, name, version, policyId, policyName, policyVersion } = execution.stored;
      return {
        policy: { id: policyId, name: policyName, version: policyVersion },
        query: { id, name, version },
        ...toExplanation(explained),
        ...(statement === undefined ? {} : { statement }),
        ...(written === undefined ? {} : { written }),
        ...(resolvers === undefined ? {} : { resolvers }),
        statements: cost.statements,
        database_hits: cost.hits,
        milliseconds: rounded(cost.milliseconds),
      };
    },
  };
};

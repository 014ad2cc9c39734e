import type { StoredQuery } from "@ikg/catalog";
import type { QueryExplanation } from "@ikg/contracts";
import type { Database, StatementOptions } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import type { KnowledgeQuery } from "@ikg/policy-core/queries";
import { type Answer, converse, explainRead, type ReadExplanation } from "@ikg/policy-core/explain";
import type { Written } from "@ikg/policy-core/statements";
import type { ResolverCall } from "./resolver-call.ts";
import { toExplanation } from "./explanation.ts";

/** What a statement answered, by the number of its rows. */
interface Counted {
  readonly count: number;
}

/** What is found out about one execution for a caller who wants to know why; it changes nothing of the answer. */
export interface Explainer {
  /** Runs the statement of the answer so that the database counts its work. */
  counted<A extends Counted>(read: (options: StatementOptions) => Promise<A>): Promise<A>;
  /** Explains the match of a writing query, before it writes: afterwards the graph is another. */
  match(text: string): Promise<void>;
  /** What the writing transaction came to; of several tries the last counts. */
  readonly written: (entries: readonly Written[]) => void;
  readonly resolved: (calls: readonly ResolverCall[]) => void;
  /**
   * The explanation, of a reading query found out now, by statements of its own that only read.
   *
   * @throws nothing but the signal's reason: what cannot be found out in time is left out, or `unknown`.
   */
  explanation(): Promise<QueryExplanation>;
}

/** The execution that is asked about. */
export interface Executed {
  readonly database: Database;
  readonly stored: StoredQuery;
  readonly query: KnowledgeQuery;
  readonly pk: ProjectKey;
  /** `s` and `RowValues`. */
  readonly row: Readonly<Record<string, unknown>>;
  readonly options: StatementOptions;
  /** Milliseconds that an explanation may take besides the answer; and on the clock, when both must be over. */
  readonly limitMs: number;
  readonly endsAt: number;
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/** @param now milliseconds of a clock that only goes forward. */
export const openExplainer = (
  { database, stored, query, pk, row, options, limitMs, endsAt }: Executed,
  now: () => number = () => performance.now(),
): Explainer => {
  let statements = 0;
  let hits = 0;
  let spent = 0;
  let explained: ReadExplanation | undefined;
  let statement: QueryExplanation["statement"];
  let written: QueryExplanation["written"];
  let resolvers: QueryExplanation["resolvers"];

  const counted = async <A extends Counted>(
    read: (options: StatementOptions) => Promise<A>,
    more: StatementOptions,
  ): Promise<A> => {
    const started = now();
    let own = 0;
    const answer = await read({ ...more, onWork: (count) => void (own += count) });
    statement = { rows: answer.count, database_hits: own, milliseconds: rounded(now() - started) };
    return answer;
  };

  /** Work that is done for the explanation alone; told how much time is left for it. */
  const taking = async <T>(work: (left: () => number) => Promise<T>): Promise<T> => {
    const started = now();
    const end = Math.min(started + limitMs - spent, endsAt);
    try {
      return await work(() => Math.max(1, end - now()));
    } finally {
      spent += now() - started;
    }
  };

  /** @param answered true when there are rows in any case. */
  const explain = (answered: boolean): Promise<ReadExplanation> =>
    taking((left) => {
      const ask = async (text: string): Promise<Answer> => {
        statements++;
        try {
          const onWork = (count: number): void => void (hits += count);
          return await database.read(text, { __row: row }, { ...options, timeoutMs: left() / 2, onWork });
        } catch {
          options.signal?.throwIfAborted();
          return undefined;
        }
      };
      return converse(explainRead(query, pk, answered), ask);
    });

  return {
    counted: (read) => counted(read, options),
    match: async (text) => {
      explained = await explain(false);
      await taking(async (left) => {
        try {
          // Its rows are wanted for their number alone.
          const count = async (more: StatementOptions): Promise<Counted> => {
            const rows = await database.read(text, { __row: row }, { ...more, onRow: () => true });
            return { count: rows.length };
          };
          await counted(count, { ...options, timeoutMs: left() });
        } catch {
          options.signal?.throwIfAborted();
        }
      });
    },
    written: (entries) => {
      written = [...entries];
    },
    resolved: (calls) => {
      if (calls.length === 0) return;
      resolvers = calls.map(({ ms, ...call }) => ({ ...call, milliseconds: rounded(ms) }));
    },
    explanation: async () => {
      explained ??= await explain(statement !== undefined && statement.rows > 0);
      const { id, name, version, policyId, policyName, policyVersion } = stored;
      return {
        policy: { id: policyId, name: policyName, version: policyVersion },
        query: { id, name, version },
        ...toExplanation(explained),
        ...(statement === undefined ? {} : { statement }),
        ...(written === undefined ? {} : { written }),
        ...(resolvers === undefined ? {} : { resolvers }),
        statements,
        database_hits: hits,
        milliseconds: rounded(spent),
      };
    },
  };
};

import type { CatalogProject } from "@ikg/catalog";
import type { SimulatedQuery, SimulatedRefusal, SimulatedRow } from "@ikg/contracts";
import {
  createResponseBudget,
  type Database,
  DataFault,
  dataFaultReason,
  type ResponseBudget,
  type Row,
  type StatementOptions,
  StatementTimeout,
} from "@ikg/graph";
import { maxRows } from "@ikg/policy-core/statements";
import type { ShownProject } from "@ikg/query-rows";
import { type QuerySide, querySide, refusedSide, type RequestedQuery, tooManyRows } from "./query-side.ts";
import type { QueryVersions } from "./query-versions.ts";
import { RowBag, type RowReader, rowReader } from "./row-comparison.ts";

/** Rows of one side that are compared at most: more are counted. */
const comparedRows = 100_000;
/** Bytes of one statement's answer at most, for rows that are compared: they are not held, but each is read whole. */
const comparedBytes = 67_108_864;

/** A side has more rows, or more bytes, than are compared. */
class ComparisonLimitError extends Error {
  override readonly name = "ComparisonLimitError";
}

type Side = QuerySide;
type Runnable = Extract<Side, { readonly refused: undefined }>;

export interface QueryRunParts {
  readonly project: CatalogProject;
  readonly shown: ShownProject;
  readonly database: Database;
  readonly examples: number;
  readonly options: () => StatementOptions;
  /** The time of the simulation is over. */
  readonly isOver: () => boolean;
}

/** A statement starts again, because the server had no capacity for it, after some of its rows were taken. */
class StatementRestartedError extends Error {
  override readonly name = "StatementRestartedError";
}

/** @param hasRows whether rows were taken. */
const limitedBudget = (hasRows: () => boolean): ResponseBudget => {
  const budget = createResponseBudget(comparedBytes, () => new ComparisonLimitError());
  return {
    ...budget,
    begin: () => {
      if (hasRows()) throw new StatementRestartedError();
      budget.begin();
    },
  };
};

const notEvaluable: SimulatedRefusal = {
  code: "unprocessable",
  errors: [`query: ${dataFaultReason}`],
};

/** The result of a query, without its heading. */
type QueryComparison = Omit<SimulatedQuery, "query" | "name" | "writes">;

const refusals = (before: Side, after: Side) => ({
  ...(before.refused && { refused_before: before.refused }),
  ...(after.refused && { refused_after: after.refused }),
});

/** One query of a simulation, run as it is and as it would be. It reads, and writes nothing. */
export class QueryRun {
  readonly #parts: QueryRunParts;
  readonly #requested: RequestedQuery;
  readonly #sides: { readonly before: Side; readonly after: Side };

  constructor(parts: QueryRunParts, versions: QueryVersions, requested: RequestedQuery) {
    this.#parts = parts;
    this.#requested = requested;
    this.#sides = {
      before: querySide(parts, versions.before, requested),
      after: querySide(parts, versions.after, requested),
    };
  }

  /**
   * @param query its index among the queries of the simulation.
   * @returns undefined when the time of the simulation was over before the end.
   */
  async run(query: number): Promise<SimulatedQuery | undefined> {
    const { before, after } = this.#sides;
    const writes = [before, after].some((side) => side.refused === undefined && side.writes);
    const heading = { query, name: this.#requested.name, ...(writes && { writes: true as const }) };
    try {
      return { ...heading, ...(await this.#compareOrCount(before, after)) };
    } catch (error) {
      if (!(error instanceof StatementTimeout)) throw error;
      return this.#parts.isOver() ? undefined : { ...heading, complete: false };
    }
  }

  async #compareOrCount(before: Side, after: Side): Promise<QueryComparison> {
    try {
      return await this.#compare(before, after);
    } catch (error) {
      if (error instanceof StatementRestartedError) return this.#compareOrCount(before, after);
      if (!(error instanceof ComparisonLimitError)) throw error;
      const rows_before = await this.#count(before);
      const rows_after = await this.#count(after);
      return { complete: false, rows_before, rows_after, ...refusals(before, after) };
    }
  }

  async #compare(before: Side, after: Side): Promise<QueryComparison> {
    const old = this.#reader(before, after);
    const next = this.#reader(after, before);
    const bag = new RowBag();
    const known = await this.#readAll(before, (row) => bag.add(old.key(row)));
    if (known !== before) return this.#compare(known, after);
    const rows_before = bag.size;
    let rows_after = 0;
    const gained = { count: 0, examples: [] as SimulatedRow[] };
    const read = await this.#readAll(after, (row) => {
      rows_after += 1;
      if (bag.take(next.key(row))) return;
      gained.count += 1;
      if (gained.examples.length < this.#parts.examples) gained.examples.push(next.example(row));
    });
    if (read !== after) return this.#compare(before, read);
    return {
      complete: true,
      rows_before,
      rows_after,
      ...refusals(before, after),
      only_before: { count: bag.size, examples: await this.#left(before, old, bag) },
      only_after: gained,
      ...(old.ownColumns.length > 0 && { columns_only_before: [...old.ownColumns] }),
      ...(next.ownColumns.length > 0 && { columns_only_after: [...next.ownColumns] }),
    };
  }

  #reader(side: Side, other: Side): RowReader {
    const { shown } = this.#parts;
    return rowReader(side.statement, other.statement, shown, this.#requested.values === true);
  }

  /** Reads the rows before once more for those that no row after is like: they are not held meanwhile. */
  async #left(side: Side, reader: RowReader, bag: RowBag): Promise<SimulatedRow[]> {
    const wanted = Math.min(this.#parts.examples, bag.size);
    const examples: SimulatedRow[] = [];
    if (wanted === 0 || side.refused !== undefined) return examples;
    await this.#read(side, (row) => {
      if (bag.take(reader.key(row))) examples.push(reader.example(row));
      return examples.length < wanted;
    });
    return examples;
  }

  /** @returns the side, or its refusal: of values that it cannot be evaluated with, or of more rows than it may write. */
  async #readAll(side: Side, take: (row: Row) => void): Promise<Side> {
    if (side.refused !== undefined) return side;
    let rows = 0;
    try {
      await this.#read(side, (row) => {
        rows += 1;
        take(row);
        return !side.writes || rows <= maxRows;
      });
    } catch (error) {
      if (!(error instanceof DataFault)) throw error;
      return refusedSide(notEvaluable);
    }
    return side.writes && rows > maxRows ? refusedSide(tooManyRows) : side;
  }

  async #count(side: Side): Promise<number> {
    if (side.refused !== undefined) return 0;
    const { statement, parameters } = side;
    const [row] = await this.#parts.database.read(statement.countText, parameters, this.#options());
    return Number(row?.["rows"] ?? 0);
  }

  /** @throws ComparisonLimitError past the bounds of a comparison. */
  async #read({ statement, parameters }: Runnable, take: (row: Row) => boolean): Promise<void> {
    let rows = 0;
    const onRow = (row: Row): boolean => {
      rows += 1;
      if (rows > comparedRows) throw new ComparisonLimitError();
      return take(row);
    };
    const bounds = { responseBudget: limitedBudget(() => rows > 0), onRow };
    await this.#parts.database.read(statement.text, parameters, { ...this.#options(), ...bounds });
  }

  /** @throws StatementTimeout when there is no time left. */
  #options(): StatementOptions {
    if (this.#parts.isOver()) throw new StatementTimeout(0);
    return this.#parts.options();
  }
}

import { faultsOf, NodeLine, RelationshipLine } from "@ikg/contracts/capture";
import { tryParseJson } from "@ikg/contracts/values";
import { type LineKind, lineKinds } from "../mapping/line-of.ts";
import type { ImportPlan } from "./import-plan.ts";
import { type RejectedLine, rejectedLine } from "./rejected-lines.ts";
import { type RowInFile, RowCursor } from "./row-cursor.ts";

/** A row with the lines that it would become. */
export interface CapturedRow {
  readonly file: string;
  readonly row: number;
  readonly lines: readonly unknown[];
}

/** The result of a dry run. */
export interface DryRun {
  readonly rows: number;
  /** Lines by the types of nodes and relationships. */
  readonly nodes: Readonly<Record<string, number>>;
  readonly relationships: Readonly<Record<string, number>>;
  /** The first rows. */
  readonly first: readonly CapturedRow[];
  readonly rejected: number;
  /** The first rejected lines. */
  readonly faults: readonly RejectedLine[];
}

/** Limits of what a dry run reads and keeps. */
export interface DryRunLimits {
  /** First rows with their lines. */
  readonly rows: number;
  /** First rejected lines. */
  readonly faults: number;
  /** Maximum number of rows to read; default: all. */
  readonly maxRows?: number;
}

const schemas = { node: NodeLine, relationship: RelationshipLine } as const;

/** Validates a line as the suite does, except that only the suite knows whether the ends of a relationship exist. */
const validateLine = (kind: LineKind, value: unknown): readonly string[] => {
  if (value === undefined) return ["JSON expected"];
  const { error } = schemas[kind].safeParse(value, { reportInput: true });
  return error === undefined ? [] : faultsOf(error);
};

const typeOf = (kind: LineKind, value: unknown): string => {
  const content = (value as Record<LineKind, { type?: unknown } | undefined>)[kind]; // validated before
  return String(content?.type);
};

/** Reads every row, and sends nothing. */
export class DryRunReading {
  readonly #limits: DryRunLimits;
  readonly #counts: Readonly<Record<LineKind, Map<string, number>>> = {
    node: new Map(),
    relationship: new Map(),
  };
  readonly #first: CapturedRow[] = [];
  readonly #faults: RejectedLine[] = [];
  #rows = 0;
  #rejected = 0;

  constructor(limits: DryRunLimits) {
    this.#limits = limits;
  }

  /** @param signal stops the reading. @throws the reason of the signal */
  async read(
    plan: ImportPlan,
    onBytes: (count: number) => void = () => undefined,
    signal?: AbortSignal,
  ): Promise<DryRun> {
    const { maxRows = Infinity } = this.#limits;
    const cursor = new RowCursor(plan, { file: 0, row: 0 }, { hasDetails: true, onBytes });
    try {
      while (this.#rows < maxRows && (await cursor.fill())) {
        signal?.throwIfAborted();
        for (let placed: RowInFile | undefined; this.#rows < maxRows && (placed = cursor.take());)
          this.#add(placed);
      }
    } finally {
      await cursor.close();
    }
    return {
      rows: this.#rows,
      nodes: Object.fromEntries(this.#counts.node),
      relationships: Object.fromEntries(this.#counts.relationship),
      first: this.#first,
      rejected: this.#rejected,
      faults: this.#faults,
    };
  }

  #add(placed: RowInFile): void {
    const { row, source } = placed;
    this.#rows += 1;
    if (row.fault !== undefined) {
      this.#reject(placed, [row.fault]);
      return;
    }
    const lines: unknown[] = [];
    for (const kind of lineKinds)
      for (const each of source.converter.linesOf(kind, row)) {
        const value = "text" in each ? tryParseJson(each.text) : undefined;
        const errors = "errors" in each ? each.errors : validateLine(kind, value);
        if (errors.length > 0) this.#reject(placed, errors, kind);
        else {
          const type = typeOf(kind, value);
          this.#counts[kind].set(type, (this.#counts[kind].get(type) ?? 0) + 1);
          lines.push(value);
        }
      }
    if (this.#first.length < this.#limits.rows)
      this.#first.push({ file: source.file.name, row: row.number, lines });
  }

  #reject(placed: RowInFile, errors: readonly string[], kind?: LineKind): void {
    this.#rejected += 1;
    if (this.#faults.length < this.#limits.faults) this.#faults.push(rejectedLine(placed, errors, kind));
  }
}

import type { CallSizes } from "../values/call-sizes.ts";

/** What one expression may need, whatever the graph and the request hold. */
export interface Budget {
  /** Bytes of values that are held at once. */
  readonly memoryBytes: number;
  /** Elements that are visited and operators that are applied, for one row; about 50-100 ns each. */
  readonly steps: number;
}

/**
 * The database evaluates an expression for a row in one go: neither the time limit of the transaction nor its memory
 * limit sees what happens inside. Ten million steps take about a second; 64 MB fit the heap several times.
 */
export const defaultBudget: Budget = { memoryBytes: 64 * 1024 * 1024, steps: 10_000_000 };

/** What the body of a request can hold at all: 2 MiB. */
const unlimited: CallSizes = {
  characters: 2 * 1024 * 1024,
  entries: 1024 * 1024,
  nested: 1024 * 1024,
  weight: 2 * 1024 * 1024,
};

/**
 * Sizes of the request's values that are tried one after the other until a text keeps within its budget. With the first
 * nothing is measured when it is called.
 */
export const callSizes: readonly CallSizes[] = [
  unlimited,
  { characters: 65_536, entries: 10_000, nested: 0, weight: 262_144 },
  { characters: 4_096, entries: 1_000, nested: 0, weight: 65_536 },
  { characters: 256, entries: 100, nested: 0, weight: 4_096 },
];

/** Bounds of what the graph stores; the same that capture and writing queries keep. */
export const storedSizes = {
  /** UTF-16 units: 65,536 code points. */
  characters: 2 * 65_536,
  entries: 1_000,
  /** UTF-16 units of all entries: 262,144 code points. */
  listCharacters: 2 * 262_144,
  /** UTF-16 units of an external id, a type, a gid or a time. */
  systemCharacters: 512,
} as const;

/**
 * What `collect` and a pattern comprehension give is bounded by the memory limit of the transaction, which counts it.
 * Loops over it are counted with so many entries.
 */
export const collectedEntries = 10_000;

/** UTF-16 units of all that is collected: what 256 MB hold. */
export const collectedCharacters = 128 * 1024 * 1024;

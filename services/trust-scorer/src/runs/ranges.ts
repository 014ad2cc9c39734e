import type { Database, Row } from "@ikg/graph";
import {
  behindPrefix,
  keyPrefix,
  projectKey,
  takeLock,
  trustRangeKey,
  trustRangeLabel,
  trustRangesPrefix,
} from "@ikg/physical";
import type { Run } from "./run-record.ts";

/** A range that a worker has taken. The next worker has a higher fence, and this one writes no more. */
export interface HeldRange {
  readonly key: string;
  readonly fence: number;
  /** The last key that is scored; at first the one before the range. */
  readonly cursor: string;
  /** The last key that belongs to it. */
  readonly upTo: string;
  readonly scored: number;
}

/** How many ranges a run has. */
export const rangeCount = ({ bounds }: Pick<Run, "bounds">): number => bounds.length + 1;

/** Where the keys of a type begin and end: no key is equal to one of the two. */
export const typeLimits = ({ pk, type }: Pick<Run, "pk" | "type">) => {
  const after = keyPrefix(projectKey(pk), type);
  return { after, upTo: behindPrefix(after) };
};

const prepareText = `UNWIND $ranges AS range
MERGE (g:${trustRangeLabel} {key: range.key})
ON CREATE SET g.cursor = range.after, g.up_to = range.upTo, g.fence = 0, g.scored = 0`;
const takeText = `MATCH (g:${trustRangeLabel} {key: $key})
${takeLock("g")}
SET g.fence = g.fence + 1
RETURN g.fence AS fence, g.cursor AS cursor, g.up_to AS upTo, g.scored AS scored`;
const readText = `MATCH (g:${trustRangeLabel} {key: $key})
RETURN g.fence AS fence, g.cursor AS cursor, g.up_to AS upTo, g.scored AS scored`;
const removeText = `MATCH (g:${trustRangeLabel}) WHERE g.key STARTS WITH $prefix DELETE g`;
const options = { timeoutMs: 30_000 };

const heldOf = (key: string, row: Row | undefined): HeldRange | undefined =>
  row && {
    key,
    fence: Number(row["fence"]),
    cursor: String(row["cursor"]),
    upTo: String(row["upTo"]),
    scored: Number(row["scored"]),
  };

/** Makes the ranges of a run. May be repeated. */
export const prepareRanges = async (database: Database, run: Run): Promise<void> => {
  const { after, upTo } = typeLimits(run);
  const limits = [after, ...run.bounds, upTo];
  const ranges = run.bounds
    .concat(upTo)
    .map((to, at) => ({ key: keyOf(run, at), after: limits[at] ?? after, upTo: to }));
  await database.write((tx) => tx.run(prepareText, { ranges }), options);
};

const keyOf = ({ projectId, profileId, runId }: Run, range: number): string =>
  trustRangeKey(projectId, profileId, runId, range);

/** Takes a range from its worker, if it has one. Undefined when the run is over. */
export const takeRange = async (
  database: Database,
  run: Run,
  range: number,
): Promise<HeldRange | undefined> => {
  const key = keyOf(run, range);
  return heldOf(key, (await database.write((tx) => tx.run(takeText, { key }), options))[0]);
};

/** The current state of a range; undefined when the run is over, or another worker has taken it. */
export const stillHeld = async (database: Database, held: HeldRange): Promise<HeldRange | undefined> => {
  const now = heldOf(held.key, (await database.read(readText, { key: held.key }, options))[0]);
  return now?.fence === held.fence ? now : undefined;
};

/** Removes the ranges of one run, or of all runs of a profile: no page of them is written from then on. */
export const removeRanges = async (
  database: Database,
  { projectId, profileId, runId }: Pick<Run, "projectId" | "profileId"> & { readonly runId?: string },
): Promise<void> => {
  const ofAll = trustRangesPrefix(projectId, profileId);
  const prefix = runId === undefined ? ofAll : `${ofAll}${runId}/`;
  await database.write((tx) => tx.run(removeText, { prefix }), options);
};

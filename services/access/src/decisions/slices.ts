import type { CatalogProject } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import type { Graph, StatementOptions } from "@ikg/graph";
import { behindPrefix, keyField, keyPrefix, nodeKey, seekNodes } from "@ikg/physical";
import { withDecisionTimeoutAsUnavailable } from "./statement-errors.ts";
import { type Find, type IdRange, seekAfter } from "./seek.ts";

/** Slices grow from a single decision, so that even slow ones make progress, to this many in one statement. */
const largestSlice = 256;

/** Uses the index of the keys. Parameters: `from` and `to`, keys between which they are; `limit`. */
const everyIdText = [
  `${seekNodes} WHERE n.${keyField} > $from AND n.${keyField} < $to`,
  `RETURN n.external_id AS id ORDER BY n.${keyField} LIMIT $limit`,
].join(" ");

/** Finds every node of a type. */
export const everyId =
  (graph: Graph, project: CatalogProject, type: string, options: StatementOptions): Find =>
  async (after, limit) => {
    const from = nodeKey(project.pk, type, after);
    const to = behindPrefix(keyPrefix(project.pk, type));
    const rows = await withDecisionTimeoutAsUnavailable(
      graph.of(project, undefined, "query").read(everyIdText, { from, to, limit }, options),
    );
    return { ids: rows.map((row) => String(row["id"])) };
  };

export interface SliceSearch {
  /** Every id of the type that is sought, ascending. */
  readonly all: Find;
  /**
   * Decides on each id; a decision that took too long is its Problem.
   *
   * @param ms limit of the decisions together
   */
  readonly granted: (ids: readonly string[], ms: number) => Promise<readonly (boolean | Problem)[]>;
  /** When to stop, as `performance.now()` tells. */
  readonly deadline: number;
  /** Milliseconds that the first decision of a page has at least: a page without one would make no progress. */
  readonly leastMs: number;
}

/**
 * Finds by deciding on one slice of ids after the other, as long as the time lasts: for a search that one
 * statement does not finish.
 *
 * @returns `until` when the time ended: everything up to there was decided. At least one id always is.
 * @throws what `granted` throws, and its Problem when not even one decision is made in the time.
 */
export const findInSlices = async (
  { all, granted, deadline, leastMs }: SliceSearch,
  after: string,
  limit: number,
): Promise<IdRange> => {
  const found: string[] = [];
  let at = after;
  for (let size = 1; ; size = Math.min(size * 2, largestSlice)) {
    const { ids } = await seekAfter(all, at, size);
    if (ids.length === 0) return { ids: found };
    const left = deadline - performance.now();
    const decisions = await granted(ids, at === after ? Math.max(left, leastMs) : left);
    const late = decisions.findIndex((decision) => decision instanceof Problem);
    const decided = late < 0 ? ids : ids.slice(0, late);
    found.push(...decided.filter((_, index) => decisions[index] === true));
    at = decided.at(-1) ?? at;
    if (late >= 0 && at === after) throw decisions[late];
    if (found.length >= limit) return { ids: found.slice(0, limit) };
    if (late >= 0) return { ids: found, until: at };
    if (ids.length < size) return { ids: found };
    if (performance.now() >= deadline) return { ids: found, until: at };
  }
};

import { newGid } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import { projectKey, trustScoreKey } from "@ikg/physical";
import { scorableNode } from "../score/scorable.ts";
import { type Scores, scoreNode, type ScoringContext } from "../score/score-node.ts";
import type { HeldRange } from "./ranges.ts";
import type { Run } from "./run-record.ts";
import { readPageText, writePageText } from "./score-statements.ts";

const timeoutMs = 60_000;

/** A node as stored: its key and its fields. */
export interface StoredNode {
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The next nodes of a range; fewer than `size` when it ends with them. */
export const readPage = async (
  database: Database,
  { after, upTo, size }: { readonly after: string; readonly upTo: string; readonly size: number },
): Promise<readonly StoredNode[]> => {
  const rows = await database.read(readPageText, { after, upTo, size }, { timeoutMs });
  return rows.map((row) => ({
    key: String(row["k"]),
    fields: row["p"] as Record<string, unknown>, // properties of a node
  }));
};

/** A row of the write statement. */
const scoreRow = (key: string, { final, dimensions }: Scores): readonly unknown[] => [
  key,
  newGid("node"),
  final,
  dimensions.VALIDITY,
  dimensions.VERIFICATION,
  dimensions.FRESHNESS,
  dimensions.ORIGIN,
  dimensions.COMPLETENESS,
];

/** The outcome of a page. */
export interface PageWriteResult {
  /** Nodes of the range that are scored so far. */
  readonly scored: number;
  /** Nodes of this page that still existed. */
  readonly written: number;
}

/**
 * Scores the nodes of a page and writes the scores, together with how far the range is.
 *
 * @returns undefined when another worker has the range, the run is over, or this page is written already.
 * @throws as `Database.write`.
 */
export const writePage = async (
  database: Database,
  run: Run,
  held: HeldRange,
  nodes: readonly StoredNode[],
  scoring: ScoringContext,
  now: string,
): Promise<PageWriteResult | undefined> => {
  const pk = projectKey(run.pk);
  const rows = nodes.map(({ key, fields }) => scoreRow(key, scoreNode(scorableNode(fields), scoring)));
  const params = {
    range: held.key,
    fence: held.fence,
    after: held.cursor,
    cursor: nodes.at(-1)?.key ?? held.cursor,
    count: nodes.length,
    prefix: trustScoreKey(pk, ""),
    profile: run.profileId,
    run: run.runId,
    now,
    rows,
  };
  const [row] = await database.write((tx) => tx.run(writePageText(pk), params), { timeoutMs });
  return row && { scored: Number(row["scored"]), written: Number(row["written"]) };
};

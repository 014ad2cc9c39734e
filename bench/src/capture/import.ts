/** An import of many lines, beside the same rows by UNWIND from four connections. */
import { median } from "../../../stack/src/measurement/statistics.ts";
import { openIkg } from "../clients.ts";
import { atLeast, countText, type Line, perSecondText } from "../targets.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { batchOf, type Item, type Kinds } from "./items.ts";
import { targets, plan } from "./plan.ts";
import type { Prepared } from "./ways.ts";

const pollMs = 50;
const { nodes: nodeLines, relationships: relationshipLines, batch, connections, rounds } = plan.import;
const total = nodeLines + relationshipLines;

interface Rows {
  readonly nodes: readonly Item[];
  readonly relationships: readonly Item[];
}

const rowsOf = (kinds: Kinds): Rows => ({
  nodes: batchOf(kinds.new, nodeLines),
  relationships: batchOf(kinds.relationships, relationshipLines),
});

const textOf = ({ nodes, relationships }: Rows): string =>
  [
    ...nodes.map(({ item }) => JSON.stringify({ node: item })),
    ...relationships.map(({ item }) => JSON.stringify({ relationship: item })),
  ].join("\n");

/** From the first byte to the last row written. */
const importAll = async (target: Target, apiKey: string, text: string): Promise<void> => {
  const job = await openIkg(target, apiKey).capture.import(text, { gzip: false });
  const state = await job.finished({ everyMs: pollMs });
  const written = state.nodes.written + state.relationships.written;
  if (state.status !== "done" || written !== total)
    throw new Error(`the import is ${state.status} with ${written} rows of ${total}`);
};

/** Nodes first, then relationships; the slices of sorted rows touch different nodes as far as possible. */
const writeAll = async (
  write: (prepared: Pick<Prepared, "collection" | "rows">) => Promise<void>,
  rows: Rows,
): Promise<void> => {
  for (const collection of ["nodes", "relationships"] as const) {
    const items = rows[collection];
    let at = 0;
    const writer = async (): Promise<void> => {
      while (at < items.length) {
        const slice = items.slice(at, (at += batch));
        await write({ collection, rows: slice.map(({ row }) => row) });
      }
    };
    await Promise.all(Array.from({ length: connections }, writer));
  }
};

const timeOf = async (work: () => Promise<void>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

/** @param write one slice by the raw driver */
export const measureImport = async (
  target: Target,
  apiKey: string,
  kinds: Kinds,
  write: (prepared: Pick<Prepared, "collection" | "rows">) => Promise<void>,
): Promise<readonly Line[]> => {
  const found: { ours: number; rawDriver: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [text, rows] = [textOf(rowsOf(kinds)), rowsOf(kinds)];
    const ours = () => timeOf(() => importAll(target, apiKey, text));
    const rawDriver = () => timeOf(() => writeAll(write, rows));
    const times = { ours: 0, rawDriver: 0 };
    for (const way of round % 2 === 0 ? (["ours", "rawDriver"] as const) : (["rawDriver", "ours"] as const))
      times[way] = await (way === "ours" ? ours : rawDriver)();
    found.push(times);
    say(`import: round ${round + 1} of ${rounds}`);
  }
  const rate = (milliseconds: number): string => perSecondText((total / milliseconds) * 1_000);
  return [
    {
      what: `import of ${countText(total)} lines, through the gateway`,
      figure: rate(median(found.map(({ ours }) => ours))),
      ...atLeast(median(found.map(({ ours, rawDriver }) => rawDriver / ours)), targets.import),
      baseline: `raw UNWIND from ${connections} connections: ${rate(median(found.map(({ rawDriver }) => rawDriver)))}`,
    },
  ];
};

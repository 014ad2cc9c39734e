/** Batches of 250 by each way, beside the same rows by one UNWIND. */
import type { Round } from "../../../stack/src/measurement/statistics.ts";
import { takeTurns, type Work } from "../../../stack/src/measurement/turns.ts";
import { atLeast, type Line, perSecondText, reported } from "../targets.ts";
import { batchOf, type Kind, type Kinds } from "./items.ts";
import { targets, plan } from "./plan.ts";
import { prepare, type Way, ways, type Writes } from "./ways.ts";

/** A round of so many requests, or so much time: they are made ready before the clock starts. */
const round = async (write: Writes[Way], kind: Kind, callers: number, ms: number): Promise<Round> => {
  const batches = Array.from({ length: plan.requests }, () => prepare(kind, batchOf(kind, plan.batch)));
  const latencies: number[] = [];
  const started = performance.now();
  const caller = async (): Promise<void> => {
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
      const before = performance.now();
      if (before - started > ms) return;
      await write(batch);
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { latencies: Float64Array.from(latencies), elapsed: performance.now() - started };
};

const measureKind = async (writes: Writes, kind: Kind, callers: number): Promise<readonly Line[]> => {
  const work = (way: Way): [Way, Work] => [way, (ms) => round(writes[way], kind, callers, ms)];
  const works = Object.fromEntries(ways.map(work)) as Record<Way, Work>; // every way
  const turns = await takeTurns(
    works,
    { rounds: plan.rounds, roundMs: plan.roundMs, warmUpMs: plan.roundMs },
    `${kind.name}, ${callers} callers`,
  );
  const rate = (way: Way) => perSecondText(turns.summary(way).throughput * plan.batch);
  const baseline = `raw UNWIND of ${plan.batch}: ${rate("driver")}`;
  const ratio = turns.ratio("capture", "driver");
  const title = `${kind.name}, ${plan.batch} at a time, ${callers} ${callers === 1 ? "caller" : "callers"}`;
  return [
    {
      what: `${title}, service directly`,
      figure: rate("capture"),
      ...(callers === 1 ? atLeast(ratio, targets.capture) : reported(ratio)),
      baseline,
    },
    {
      what: "- and through the gateway",
      figure: rate("gateway"),
      ...reported(turns.ratio("gateway", "driver")),
      baseline,
    },
  ];
};

/** The target is for one caller; with more of them the database is the bottleneck. */
export const measureBatches = async (writes: Writes, kinds: Kinds): Promise<readonly Line[]> => {
  const lines: Line[] = [];
  for (const callers of plan.callers)
    for (const kind of [kinds.new, kinds.update, kinds.relationships])
      lines.push(...(await measureKind(writes, kind, callers)));
  return lines;
};

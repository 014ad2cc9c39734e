/** Simulations with their exact counts, beside the searches that would find the same. */
import { median } from "../../../stack/src/measurement/statistics.ts";
import type { Client } from "../access/asks.ts";
import type { Drive } from "../drive/drive.ts";
import { countText, type Line } from "../targets.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import {
  type Change,
  gainedByFew,
  gainedByMany,
  grantFew,
  grantMany,
  matchedByMany,
  narrowOne,
  takeMost,
} from "./changes.ts";
import { absolute } from "./lines.ts";
import { targets, plan } from "./plan.ts";
import { allSearchesMs, type SearchedType } from "./searches.ts";
import { simulate, type Simulated } from "./simulate.ts";

/** Where it is measured. */
export interface Place {
  readonly target: Target;
  readonly projectId: string;
  readonly client: Client;
  readonly drive: Drive;
}

interface Simulations {
  readonly found: readonly Simulated[];
  readonly searchesMs: number;
}

/** Simulations and searches in turns. */
const inTurns = async (
  { target, projectId, client, drive }: Place,
  action: string,
  changes: readonly Change[],
  budgetMs: number,
): Promise<Simulations> => {
  const type: SearchedType = {
    ...{ subject: "Person", action, resource: "Document" },
    count: drive.clearance.length,
  };
  const found: Simulated[] = [];
  const searches: number[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    found.push(await simulate(target, projectId, changes, budgetMs));
    searches.push(await allSearchesMs(client, type, round));
    say(`${changes[0]?.name}: round ${round + 1} of ${plan.rounds}`);
  }
  return { found, searchesMs: median(searches) };
};

const known = (value: number | undefined): number => {
  if (value === undefined) throw new Error("a simulation did not come so far in its time");
  return value;
};

/** A count that is known from the data; a fast wrong answer is worth nothing. */
const requireGained = (found: readonly Simulated[], expected: number): void => {
  for (const { answer } of found) {
    const { count, exact } = answer.questions[0]?.gained ?? {};
    if (!exact || count !== expected)
      throw new Error(`${expected} pairs are gained, not ${count} (exact: ${String(exact)})`);
  }
};

const searchesText = "searches for every subject, before and after";

const exactLine = async (
  place: Place,
  changes: readonly Change[],
  { matched, gained }: { readonly matched: number; readonly gained: number },
  target: number,
): Promise<Line> => {
  const { found, searchesMs } = await inTurns(place, "READ", changes, 120_000);
  requireGained(found, gained);
  return absolute(
    `exact answer, changed policy with ${countText(matched)} pairs`,
    median(found.map(({ exactMs }) => known(exactMs))),
    target,
    { ms: searchesMs, text: searchesText },
  );
};

const firstLine = async (place: Place): Promise<Line> => {
  const { found, searchesMs } = await inTurns(place, "VIEW", narrowOne, 2_000);
  return absolute(
    "change to one of three policies: first line with counts and examples",
    median(found.map(({ firstMs }) => known(firstMs))),
    targets.firstLineMs,
    { ms: searchesMs, text: searchesText },
  );
};

const widthLine = async (place: Place): Promise<Line> => {
  const { found, searchesMs } = await inTurns(place, "VIEW", takeMost, targets.estimateMs);
  const lost = found.map(({ answer }) => answer.questions[0]?.lost);
  const widths = lost.map((each) =>
    each === undefined || each.exact ? 0 : ((each.high ?? 0) - (each.low ?? 0)) / Math.max(1, each.count),
  );
  const width = median(widths);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return {
    what: `estimate at ${targets.estimateMs / 1_000} s of ${countText(median(lost.map((each) => each?.count ?? 0)))} pairs: width of the 95 % interval`,
    figure: percent(width),
    ratio: "",
    target: `at most ${percent(targets.width)}`,
    met: width <= targets.width,
    baseline: `${searchesText}: ${(searchesMs / 1_000).toFixed(0)} s`,
  };
};

export const measureSimulations = async (place: Place): Promise<readonly Line[]> => {
  const { drive } = place;
  const few = gainedByFew(drive);
  return [
    await firstLine(place),
    await exactLine(place, grantFew, { matched: few, gained: few }, targets.hundredThousandMs),
    await exactLine(
      place,
      grantMany,
      { matched: matchedByMany(drive), gained: gainedByMany(drive) },
      targets.millionMs,
    ),
    await widthLine(place),
  ];
};

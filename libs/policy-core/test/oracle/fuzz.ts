import type { Graph } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import fc from "fast-check";
import { isFuzzing } from "../runs.ts";
import { drawn, from } from "./generate/arbitrary.ts";
import { policiesPerGroup } from "./generate/cases.ts";
import type { Draw } from "./generate/draw.ts";
import type { GraphSpec } from "./model.ts";
import { dropGraphs, freshKeys, writeGraphs } from "./store.ts";
import { isGood, pasteable, type Verdict } from "./verdict.ts";

/** Groups that share a write statement, and groups asked at the same time. */
const groupsAtOnce = 16;
const inFlight = 3;
/** This many cases are never all without an outcome by chance. */
export const enoughCases = 60;
/** How long a failing case is made smaller. */
const shrinkingMs = 20_000;

/** Cases that share a graph, how they are asked, and how one of them is shown. */
export interface Kind<G extends { readonly graph: GraphSpec }> {
  readonly make: (draw: Draw) => G;
  readonly check: (graph: Graph, pk: ProjectKey, group: G) => Promise<readonly Verdict[]>;
  /** The group with this case alone. */
  readonly alone: (group: G, index: number) => G;
  /** How many inputs each policy of the group is asked with: each makes a case. Default 1. */
  readonly inputsOf?: (group: G) => number;
  /** What a person pastes. */
  readonly tell: (group: G) => unknown;
}

export interface FuzzOptions {
  /** For the line that says what was done. */
  readonly name: string;
  readonly count: number;
  readonly seed: number;
  /** Cases of one group; default 8. */
  readonly perGroup?: number;
}

export interface Failure {
  readonly verdict: Verdict;
  readonly text: string;
}

export interface Report {
  readonly cases: number;
  readonly interesting: number;
  readonly failures: readonly Failure[];
  readonly refused: readonly string[];
  readonly failed: readonly string[];
}

/** Keeps the chunks of neighbouring seeds apart. */
const spread = 0x9e3779b1;

const progressMs = 10_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const share = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const waiting = [...items];
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
    }),
  );
};

const checkOne = async <G extends { readonly graph: GraphSpec }>(
  graph: Graph,
  kind: Kind<G>,
  group: G,
): Promise<Verdict | undefined> => {
  const [pk] = freshKeys(1);
  if (pk === undefined) throw new Error("no key");
  try {
    await writeGraphs(graph, [[pk, group.graph]]);
    return (await kind.check(graph, pk, group))[0];
  } catch {
    // A case made smaller need not be one any more.
    return undefined;
  } finally {
    await dropGraphs(graph, [pk]);
  }
};

const describeCase = <G extends { readonly graph: GraphSpec }>(
  kind: Kind<G>,
  group: G,
  verdict: Verdict,
): string => `${verdict.kind}: ${"what" in verdict ? verdict.what : ""}\n${pasteable(kind.tell(group))}`;

/** A statement that cannot be run is the same failure only for the same reason. */
const isSame = (found: Verdict, verdict: Verdict): boolean => {
  if (found.kind !== "failed" || verdict.kind !== "failed") return found.kind === verdict.kind;
  const reason = ({ what }: { readonly what: string }): string => what.slice(0, 40);
  return reason(found) === reason(verdict);
};

/** The smallest case near this one that fails the same way. */
const shrink = async <G extends { readonly graph: GraphSpec }>(
  graph: Graph,
  kind: Kind<G>,
  group: G,
  verdict: Verdict,
): Promise<Failure> => {
  let smallest = group;
  let last = verdict;
  // A refusal says by itself what it is about; what is made smaller would be refused for other reasons.
  if (verdict.kind === "refused") return { verdict, text: describeCase(kind, group, verdict) };
  const property = fc.asyncProperty(from(group), async (candidate) => {
    const found = await checkOne(graph, kind, candidate);
    if (found === undefined || !isSame(found, verdict)) return;
    [smallest, last] = [candidate, found];
    throw new Error("still fails");
  });
  await fc.check(property, { numRuns: 1, interruptAfterTimeLimit: shrinkingMs });
  return { verdict: last, text: describeCase(kind, smallest, last) };
};

/**
 * Draws and checks cases until `count` are done and one of them has an outcome, but no more than `enoughCases` for
 * that: agreeing about nothing would say nothing. At most three failures of each kind are made smaller.
 *
 * @param seed the same seed draws the same cases
 */
export const fuzz = async <G extends { readonly graph: GraphSpec }>(
  graph: Graph,
  kind: Kind<G>,
  { name, count, seed, perGroup = policiesPerGroup }: FuzzOptions,
): Promise<Report> => {
  const done = { cases: 0, interesting: 0 };
  const started = performance.now();
  let lastReportAt = started;
  const bad: { group: G; verdict: Verdict }[] = [];
  const isDull = (): boolean => done.interesting === 0 && done.cases < enoughCases;
  for (let chunk = 0; done.cases < count || isDull(); chunk++) {
    const wanted = Math.min(groupsAtOnce, Math.max(1, Math.ceil((count - done.cases) / perGroup)));
    const groups = fc.sample(drawn(kind.make), {
      numRuns: wanted,
      seed: (Math.imul(seed, spread) + chunk) | 0,
    });
    const keyed = freshKeys(wanted).flatMap((pk, index) => {
      const group = groups[index];
      return group === undefined ? [] : [[pk, group] as const];
    });
    try {
      await writeGraphs(
        graph,
        keyed.map(([pk, group]) => [pk, group.graph] as const),
      );
      await share(keyed, async ([pk, group]) => {
        for (const [index, verdict] of (await kind.check(graph, pk, group)).entries()) {
          const inputCount = kind.inputsOf?.(group) ?? 1;
          done.cases += inputCount;
          if (verdict.kind === "agrees" && verdict.interesting) done.interesting += inputCount;
          if (!isGood(verdict)) bad.push({ group: kind.alone(group, index), verdict });
        }
      });
      if (isFuzzing() && performance.now() - lastReportAt > progressMs) {
        lastReportAt = performance.now();
        say(`${name}: ${done.cases} of ${count} cases, ${bad.length} to look at`);
      }
    } finally {
      await dropGraphs(
        graph,
        keyed.map(([pk]) => pk),
      );
    }
  }
  const failures: Failure[] = [];
  for (const wanted of ["differs", "failed", "refused"] as const)
    for (const { group, verdict } of bad
      .filter(({ verdict: { kind: found } }) => found === wanted)
      .slice(0, 3))
      failures.push(await shrink(graph, kind, group, verdict));
  const whats = (wanted: Verdict["kind"]): string[] =>
    bad.flatMap(({ verdict }) => (verdict.kind === wanted && "what" in verdict ? [verdict.what] : []));
  const seconds = Math.round((performance.now() - started) / 1000);
  say(`${name}: ${done.cases} cases in ${seconds} s, ${done.interesting} with an outcome, seed ${seed}`);
  return { ...done, failures, refused: whats("refused"), failed: whats("failed") };
};

import type { ListComprehension, Quantifier, Reduce } from "../cypher/ast.ts";
import { type Amount, constant, maxOf, sum, times, total, withoutTerms, zero } from "./amount.ts";
import { listBytes, valueBytes } from "./bytes.ts";
import { type Cost, plain, readOf } from "./cost.ts";
import { elementOf, entryOf, largestOf, listOf, scalar, withoutLoop, type Size } from "./size.ts";
import { boundOf, type Sizes, type Walk } from "./scope.ts";

/** Walks what is evaluated for each element of a list. */
const inLoop = <T>(
  list: Cost,
  variable: string,
  sizes: Sizes,
  walk: Walk,
  body: (inner: Sizes, loop: number) => T,
): T => {
  const around = walk.loop;
  walk.loops += 1;
  const loop = walk.loops;
  walk.loop = loop;
  const result = body(new Map(sizes).set(variable, boundOf(elementOf(list.size), loop)), loop);
  walk.loop = around;
  return result;
};

/** The steps of a loop between two places at which the database can end it. */
const loopSteps = (list: Cost, body: Cost): Amount =>
  body.reads
    ? sum(list.steps, constant(2 * body.steps.most))
    : sum(list.steps, total(sum(body.steps, constant(1)), list.size.entries, list.size.weight));

/** `any(x IN list WHERE …)` and the other quantifiers: one element after the other, nothing is kept. */
export const quantifierCost = (node: Quantifier, sizes: Sizes, walk: Walk): Cost => {
  const list = walk.cost(node.list, sizes);
  const body = inLoop(list, node.variable, sizes, walk, (inner) => walk.cost(node.where, inner));
  return {
    size: scalar,
    steps: loopSteps(list, body),
    once: list.once + body.once,
    resultBytes: zero,
    peak: maxOf(list.peak, sum(list.resultBytes, constant(body.peak.most))),
    reads: list.reads,
  };
};

/** `[x IN list WHERE … | …]`. */
export const comprehensionCost = (node: ListComprehension, sizes: Sizes, walk: Walk): Cost => {
  const list = walk.cost(node.list, sizes);
  const { entries, weight } = list.size;
  const { body, result } = inLoop(list, node.variable, sizes, walk, (inner) => {
    const where = node.where === undefined ? undefined : walk.cost(node.where, inner);
    const mapped = node.result === undefined ? undefined : walk.cost(node.result, inner);
    const parts = [where, mapped].flatMap((each) => each ?? []);
    const both = plain(parts);
    return { body: { ...both, reads: parts[0]?.reads ?? false }, result: mapped };
  });
  const kept = result === undefined ? zero : total(result.resultBytes, entries, weight);
  const allocatedBytes = sum(listBytes(entries), kept);
  return {
    size:
      result === undefined
        ? list.size
        : listOf(entries, withoutLoop(result.size), total(result.size.weight, entries, weight)),
    steps: loopSteps(list, body),
    once: list.once + body.once,
    resultBytes: sum(list.resultBytes, allocatedBytes),
    peak: maxOf(list.peak, sum(list.resultBytes, allocatedBytes, constant(body.peak.most))),
    reads: list.reads,
  };
};

/** A length so large that what a step adds to the accumulator differs clearly from what it keeps of it. */
const probe = 1e12;

/** An accumulator of that length, of the forms that it can have. */
const probeOf = (length: number, shape: Size): Size => ({
  characters: shape.characters.most === 0 ? zero : constant(length),
  entries: shape.entries.most === 0 ? zero : constant(length),
  weight: constant(length),
  ...(shape.entry === undefined ? {} : { entry: { ...withoutLoop(shape.entry), weight: constant(length) } }),
});

const measures = ["characters", "entries", "weight"] as const;

/** What one step adds to the accumulator; undefined where it takes it more than once. */
const growthOf = (small: Size, large: Size): Record<(typeof measures)[number], Amount> | undefined => {
  const growth = { characters: zero, entries: zero, weight: zero };
  for (const measure of measures) {
    const [before, after] = [small[measure], large[measure]];
    if (after.most - before.most > 1.5 * probe) return undefined;
    const [most, base] = [before.most - probe, before.base - probe];
    if (most > 0) growth[measure] = { most, base: Math.max(0, base), share: before.share };
  }
  return growth;
};

/** Limit of `reduce` nested in the step of another: each is walked several times to measure its growth. */
export const maxReduceDepth = 3;

const stepCost = (node: Reduce, sizes: Sizes, walk: Walk): Cost => {
  walk.reduces += 1;
  const cost = walk.cost(node.result, sizes);
  walk.reduces -= 1;
  return cost;
};

/**
 * `reduce(a = initial, x IN list | step)`. How the accumulator grows is found by walking the step with a very long one:
 * what comes out longer is added each time, and what comes out twice as long would double each time.
 */
export const reduceCost = (node: Reduce, sizes: Sizes, walk: Walk): Cost => {
  if (walk.reduces === maxReduceDepth) {
    walk.exceeds(node.at, {
      fault: `reduce nested deeper than ${maxReduceDepth}; make one list of the inner ones in a WITH`,
    });
    return readOf(scalar);
  }
  const initial = walk.cost(node.initial, sizes);
  const list = walk.cost(node.list, sizes);
  const start = withoutLoop(initial.size);
  return inLoop(list, node.variable, sizes, walk, (inner, loop) => {
    const step = (accumulator: Size): Cost =>
      stepCost(node, new Map(inner).set(node.accumulator, boundOf(accumulator, loop)), walk);
    const { first, final, growth } = walk.ignoreExcesses(() => {
      const one = step(start);
      const two = step(largestOf([start, withoutLoop(one.size)]));
      const shape = withoutLoop(largestOf([start, one.size, two.size]));
      if (shape.characters.most === 0 && shape.entries.most === 0)
        return { first: one, final: shape, growth: "none" as const };
      const found = growthOf(step(probeOf(probe, shape)).size, step(probeOf(2 * probe, shape)).size);
      return { first: one, final: grown(shape, found, list.size), growth: found };
    });
    if (growth === undefined) {
      walk.exceeds(node.at, {
        fault: `the accumulator "${node.accumulator.slice(0, 64)}" is used more than once in its own step and would multiply with each element; use it once`,
      });
    }
    const last = step(final);
    // The accumulator grows evenly: a step meets half of its final length on average.
    const steps = sum(
      { ...withoutTerms(last.steps), most: (first.steps.most + last.steps.most) / 2 },
      constant(1),
    );
    const accumulatorBytes = sum(valueBytes(final.weight), times(listBytes(final.entries), 4));
    const kept = growth === "none" ? zero : accumulatorBytes;
    return {
      size: final,
      steps: sum(
        initial.steps,
        loopSteps(list, {
          ...last,
          steps: { ...withoutTerms(steps), base: Math.min(steps.base, steps.most) },
        }),
      ),
      once: initial.once + list.once + last.once,
      resultBytes: sum(initial.resultBytes, kept),
      peak: maxOf(list.peak, sum(initial.resultBytes, list.resultBytes, kept, constant(last.peak.most))),
      reads: list.reads,
    };
  });
};

/** The accumulator after the last element. */
const grown = (shape: Size, growth: ReturnType<typeof growthOf>, { entries, weight }: Size): Size => {
  if (growth === undefined) return shape;
  const after = (measure: (typeof measures)[number]): Amount =>
    constant(sum(shape[measure], total(growth[measure], entries, weight)).most);
  return {
    characters: after("characters"),
    entries: after("entries"),
    weight: after("weight"),
    ...(shape.entry === undefined ? {} : { entry: entryOf({ ...shape, weight: after("weight") }) }),
  };
};

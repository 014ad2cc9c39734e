import { type Amount, constant, maxOf, sum, zero } from "./amount.ts";
import { scalar, type Size } from "./size.ts";

/** What the evaluation of an expression gives and needs. */
export interface Cost {
  readonly size: Size;
  /** Every time that it is evaluated. */
  readonly steps: Amount;
  /** Once for a row, however often it is evaluated: the set that `x IN list` makes of a list that stays the same. */
  readonly once: number;
  /** Bytes that the result holds and that nothing else held before. */
  readonly resultBytes: Amount;
  /** Bytes that are held at the worst moment; the result's among them. */
  readonly peak: Amount;
  /**
   * Every evaluation reads a property of the loop's own element: a read of the graph, where the database looks whether
   * the transaction has been ended.
   */
  readonly reads: boolean;
}

/** An expression that costs nothing beyond being read: a name, a parameter, a short literal. */
export const readOf = (size: Size, steps: Amount = constant(1)): Cost => ({
  size,
  steps,
  once: 0,
  resultBytes: zero,
  peak: zero,
  reads: false,
});

/** Operands that are evaluated one after the other, each held until the last one is there. */
export const sequence = (
  parts: readonly Cost[],
): { steps: Amount; once: number; resultBytes: Amount; peak: Amount } => {
  let [steps, resultBytes, peak, once] = [zero, zero, zero, 0];
  for (const part of parts) {
    steps = sum(steps, part.steps);
    once += part.once;
    peak = maxOf(peak, sum(resultBytes, part.peak));
    resultBytes = sum(resultBytes, part.resultBytes);
  }
  return { steps, once, resultBytes, peak };
};

/** An operator or function over its operands; its result is held in addition to them until it is done. */
export const apply = (
  parts: readonly Cost[],
  size: Size,
  { steps = constant(1), allocatedBytes = zero, once = 0, keeps = false, certain }: OperatorCost = {},
): Cost => {
  const inner = sequence(parts);
  const always = certain === undefined ? parts : parts.slice(0, certain);
  const resultBytes = keeps ? sum(inner.resultBytes, allocatedBytes) : allocatedBytes;
  return {
    size,
    steps: sum(inner.steps, steps),
    once: inner.once + once,
    resultBytes,
    peak: maxOf(inner.peak, sum(inner.resultBytes, allocatedBytes)),
    reads: always.some(({ reads }) => reads),
  };
};

interface OperatorCost {
  /** Steps of its own. */
  readonly steps?: Amount;
  /** Bytes that it allocates. */
  readonly allocatedBytes?: Amount;
  readonly once?: number;
  /** The result refers to the operands, so that they stay. */
  readonly keeps?: boolean;
  /** How many of the operands are always evaluated; all when absent. */
  readonly certain?: number;
}

/** A truth or a number made of its operands. */
export const plain = (parts: readonly Cost[], steps: Amount = constant(1), once = 0): Cost =>
  apply(parts, scalar, { steps, once });

/** Operands of which the later ones may be left out: each is done with before the next begins. */
export const shortCircuit = (parts: readonly Cost[]): Cost => {
  const whole = plain(parts);
  const peak = parts.reduce((most, part) => maxOf(most, part.peak), zero);
  return { ...whole, resultBytes: zero, peak, reads: parts[0]?.reads ?? false };
};

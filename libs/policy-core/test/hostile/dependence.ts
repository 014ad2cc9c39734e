import type { Row } from "@ikg/graph";
import type { CanaryTenant } from "./canary-tenant.ts";
import { rowText } from "./row-text.ts";
import { textDigest } from "./text-digest.ts";

/** A hash of an answer; the order of its rows does not matter. */
export const answerDigest = (rows: readonly Row[]): string =>
  textDigest(rows.map(rowText).toSorted().join("\n"));

/** How often a changed answer is compared again: it may follow from the time, or from a new plan. */
const rounds = 2;

/** True for a statement with one answer whenever the tenant is there, and another whenever it is not. */
const alternates = async <T>(
  canary: CanaryTenant,
  answerOf: (statement: T) => Promise<string>,
  [statement, present, absent]: readonly [statement: T, present: string, absent: string],
): Promise<boolean> => {
  for (let round = 0; round < rounds; round++) {
    await canary.write();
    const again = await answerOf(statement);
    await canary.drop();
    if (again !== present || (await answerOf(statement)) !== absent) return false;
  }
  return true;
};

/**
 * Finds the statements whose answers depend on whether the canary tenant is there: they count it, or test
 * for it, without returning any of its values.
 *
 * @param present the answers with the tenant, which is there before and after
 * @param answerOf runs a statement again
 */
export const dependentOn = async <T>(
  canary: CanaryTenant,
  present: ReadonlyMap<T, string>,
  answerOf: (statement: T) => Promise<string>,
): Promise<readonly T[]> => {
  try {
    await canary.drop();
    const changed: (readonly [T, string, string])[] = [];
    for (const [statement, answer] of present) {
      const absent = await answerOf(statement);
      if (absent !== answer) changed.push([statement, answer, absent]);
    }
    const dependent: T[] = [];
    for (const each of changed) if (await alternates(canary, answerOf, each)) dependent.push(each[0]);
    return dependent;
  } finally {
    // A statement that fails may leave the tenant there.
    await canary.drop();
    await canary.write();
  }
};

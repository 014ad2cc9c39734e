import { printedFor, type Printed } from "../sample-policies/statements-of.ts";
import type { Submission } from "./positions.ts";
import { dangersOf } from "./read-only.ts";
import type { WritingQuery } from "./write-work.ts";

/** Every fault names the place that it is about. */
const isTyped = (fault: string): boolean =>
  /^(policy|query)\b.{0,200}?: ./s.test(fault) && fault.length < 1_500;

export interface Outcome {
  /** What would be sent to the database. */
  readonly statements: readonly Printed[];
  /** Refusals that are not as refusals must be. */
  readonly untyped: readonly string[];
  /** The accepted queries that write, each with its policy. */
  readonly writing: readonly WritingQuery[];
}

/** Compiles a text of a caller and prints all of its statements. Throws only where the code under test does. */
export const outcomeOf = ({ policy, queries }: Submission): Outcome => {
  const { statements, faults, writing: texts } = printedFor(policy, queries);
  const writing = texts.map((query) => ({ policy, query }));
  if (statements.length === 0 && faults.length === 0)
    return { statements, untyped: ["neither accepted nor refused"], writing };
  return { statements, untyped: faults.filter((fault) => !isTyped(fault)), writing };
};

/** What the vendor's parser finds dangerous in statements; those that are meant to write are left out. */
export const dangersIn = (statements: readonly Printed[]): readonly string[] =>
  statements
    .filter(({ writes }) => !writes)
    .flatMap(({ text }) => dangersOf(text, "00000000").map((danger) => `${danger}\n${text}`));

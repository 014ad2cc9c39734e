import { Problem } from "@ikg/contracts";
import { DataFault, StatementTimeout } from "@ikg/graph";

/** What came of one case. */
export type Verdict =
  | { readonly kind: "agrees"; readonly interesting: boolean }
  /** policy-core would not take the text. */
  | { readonly kind: "refused"; readonly what: string }
  /** The database would not plan or run the statement. */
  | { readonly kind: "failed"; readonly what: string }
  | { readonly kind: "differs"; readonly what: string };

export const isGood = ({ kind }: Verdict): boolean => kind === "agrees";

const messageOf = (error: Error): string =>
  error instanceof Problem ? [error.message, ...error.errors].join(": ") : error.message;

const causes = (error: unknown): string[] =>
  error instanceof Error
    ? [messageOf(error), ...causes(error.cause)]
    : error === undefined
      ? []
      : ["no error"];

/**
 * The planner of Neo4j 5 checks its own plans, and finds a wrong one where a condition that is always false stands before a
 * subquery: `MATCH (a) WHERE 3 < 2 CALL { … }`. The services refuse such a text when it is saved, because they have it planned.
 */
const isWrongPlan = (what: string): boolean => what.startsWith("Expected:") && what.includes("PlannerQuery(");

/**
 * A subquery without imports may call a variable as the text after it does. Where the statement knows that variable before the
 * text, because a call names the node, the database takes the one inside for a hidden one and refuses both: so the text is
 * refused when it is saved, too.
 */
const isShadowed = (what: string): boolean => what.includes("42N07");

/**
 * What the database refused, in its own words.
 *
 * @throws every other error: it is one of the tests themselves.
 */
export const failure = (error: unknown): Verdict => {
  const ofDatabase = [DataFault, StatementTimeout, Problem].some((kind) => error instanceof kind);
  if (!ofDatabase) throw error;
  const what = causes(error).at(-1) ?? "";
  return isWrongPlan(what.trimStart()) || isShadowed(what)
    ? { kind: "agrees", interesting: false }
    : { kind: "failed", what };
};

/** JSON with integers as numbers: what a person pastes. */
export const pasteable = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? Number(each) : each), 2);

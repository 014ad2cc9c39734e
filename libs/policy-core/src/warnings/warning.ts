import { positionOf } from "../cypher/diagnostic.ts";

/** What may be wrong with a text that is accepted, each with a code that stays the same. */
export const warningCodes = [
  "unbounded-path-capped",
  "cartesian-product",
  "filter-never-true",
  "subject-not-pinned",
  "unlabelled-scan",
  "index-would-serve",
  "unknown-label",
  "unknown-relationship-type",
  "unknown-property",
  "names-not-compared",
] as const;

export type WarningCode = (typeof warningCodes)[number];

/** Advice for the author of a policy or query. */
export interface Warning {
  readonly code: WarningCode;
  readonly text: string;
  /** Where it is in the JSON: `policy.condition.cypher`, `policy.condition.filter[1]`. */
  readonly path: string;
  /** Inside `policy.condition.cypher`, from 1. */
  readonly line?: number;
  readonly column?: number;
  /** The statement that would help, for an operator of the database; holds physical names of the project. */
  readonly statement?: string;
}

const cypherPath = "policy.condition.cypher";

/** Advice about a place in the cypher of a condition. */
export const inCypher = (code: WarningCode, text: string, cypher: string, at: number): Warning => ({
  code,
  text,
  path: cypherPath,
  ...positionOf(cypher, at),
});

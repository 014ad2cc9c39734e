export { openLength } from "../rewrite/rewrite.ts";
export type { Column } from "./columns.ts";
export { decideStatement, isBatchable, type DecideStatement } from "./decide.ts";
export { queryRowsStatement, type QueryRowsStatement } from "./query-rows.ts";
export { type Page, pageOf, readStatement, type ReadStatement } from "./read.ts";
export { bindUpserts, type BoundUpserts } from "./write/fields.ts";
export { maxRows } from "./write/match.ts";
export type { BoundStatement } from "./write/bound-statement.ts";
export type { WriteEffects } from "./write/effects.ts";
export {
  atOnceValues,
  planWrites,
  type UpsertStatement,
  type WritePlan,
  type EntryWrites,
} from "./write/plan.ts";
export { writeStatements, type WriteStatements } from "./write/statements.ts";
export { compositeDecideStatement, compositeSearchStatement } from "./composite.ts";
export { type DecisionSwitches, type DecisionEnd } from "./ends.ts";
export { differenceStatement, isScannable, isTestable, type PairScan, scanStatement } from "./scan.ts";
export { searchStatement } from "./search.ts";
export { type PurposedStatement, statementsOf } from "./policy-statements.ts";
export { namesOf, previewQuery } from "./preview.ts";
export { trialQuery, trialStatements } from "./trial.ts";
export { candidateKey, finderKey, requestKeys } from "../values/row-keys.ts";

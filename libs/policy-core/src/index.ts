export type { Checked } from "./checked.ts";
export { evaluateFilter, type FailingLeaf, type FilterOutcome } from "./filters/evaluate.ts";
export type { Advice, Filter, Leaf } from "./filters/filter.ts";
export type { NodePath, RelationshipPath } from "./paths/path.ts";
export type { CiqPolicy } from "./policy/ciq.ts";
export { compileCiq, compileKbac, compilePolicy, type Policy } from "./policy/compile.ts";
export type { KbacPolicy } from "./policy/kbac.ts";
export {
  compositeRequired,
  isRouted,
  resolveRoute,
  type Composite,
  type Route,
  type Targets,
} from "./policy/locations.ts";
export { compileQuery, type KnowledgeQuery } from "./query/query.ts";
export type { Column } from "./statements/columns.ts";
export { decideStatement, isRowable, type DecideStatement } from "./statements/decide.ts";
export { readStatement, type ReadStatement } from "./statements/read.ts";
export { bindUpserts, type BoundUpserts } from "./statements/write/fields.ts";
export { maxRows } from "./statements/write/match.ts";
export { planWrites, type Step, type UpsertStep, type WritePlan } from "./statements/write/plan.ts";
export { writeStatements, type WriteStatements } from "./statements/write/statements.ts";
export { compositeDecideStatement, compositeSearchStatement } from "./statements/composite.ts";
export { type DecisionOptions, type End } from "./statements/ends.ts";
export { searchStatement } from "./statements/search.ts";
export { trialQuery, trialStatements } from "./statements/trial.ts";
export { compareText } from "./texts/order.ts";
export {
  bindValues,
  missingParameters,
  missingParameterText,
  type BoundValues,
  type Inputs,
} from "./values/bind.ts";
export { Needs, needsOf } from "./values/needs.ts";

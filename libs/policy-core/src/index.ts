export type { Checked } from "./checked.ts";
export { evaluateFilter, type FailingLeaf, type FilterOutcome } from "./filters/evaluate.ts";
export type { Advice, Filter, Leaf } from "./filters/filter.ts";
export { compareText } from "./filters/truth.ts";
export type { NodePath, RelationshipPath } from "./paths/path.ts";
export type { CiqPolicy } from "./policy/ciq.ts";
export { compileCiq, compileKbac, compilePolicy, type Policy } from "./policy/compile.ts";
export type { KbacPolicy } from "./policy/kbac.ts";
export { compileQuery, type KnowledgeQuery } from "./query/query.ts";
export type { Column } from "./statements/columns.ts";
export { decideStatement, isRowable, type DecideStatement } from "./statements/decide.ts";
export { readStatement, type ReadStatement } from "./statements/read.ts";
export { searchResourceStatement } from "./statements/search.ts";
export { trialRead, trialStatements } from "./statements/trial.ts";
export {
  bindValues,
  missingParameters,
  missingParameterText,
  type BoundValues,
  type Inputs,
} from "./values/bind.ts";
export { Needs, needsOf } from "./values/needs.ts";

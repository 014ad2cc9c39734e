export { type Budget, defaultBudget } from "./bounds/budget.ts";
export type { Checked } from "./json.ts";
export { evaluateFilter, evaluateLeaves, type FailingLeaf, type FilterOutcome } from "./filters/evaluate.ts";
export { type Advice, type Filter, type Leaf, leavesOf } from "./filters/filter.ts";
export { isWildcard, trustScores, type NodePath, type RelationshipPath } from "./paths/path.ts";
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
export { compareText } from "./texts/order.ts";
export {
  bindRow,
  bindValues,
  missingParameters,
  missingParameterText,
  rowValues,
  type BoundValues,
  type RowValues,
  type Inputs,
} from "./values/bind.ts";
export { type Reference, RequiredInputs, needsOf, referenceKey } from "./values/reference.ts";

/** Words of the language, without what reads it: for editors. */
export { functions } from "../cypher/functions.ts";
export { operatorWords } from "../cypher/operators.ts";
export { type LeafOperator, leafOperators, leafRules } from "../filters/leaf-operators.ts";

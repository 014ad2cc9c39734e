export { runStatements, type Answer, type StatementSequence } from "./statement-sequence.ts";
export { explainDecision, type DecisionExplanation } from "./explain-decision.ts";
export { explainRead, type FilterRows, type ReadExplanation, type RowCounts } from "./explain-read.ts";
export { explainFilter, type FilterExplanation, type FilterPart } from "./filter-part.ts";
export type { MatchedPath, NodeReference, RelationshipReference } from "./matched-path.ts";
export { patternParts } from "./pattern-parts.ts";
export type { Part, PartKind } from "./query-parts.ts";
export type { TextPosition } from "../cypher/diagnostic.ts";

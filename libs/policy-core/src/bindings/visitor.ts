import type { Clause, Expression } from "../cypher/ast.ts";
import type { ParameterCheck } from "../values/reference.ts";
import type { Kind } from "./kind.ts";
import type { Scope, AnalysisReport } from "./scope.ts";

/** The mutually recursive parts of the analysis. */
export interface Visitor {
  readonly report: AnalysisReport;
  /** The position of the analysis; `depth` is 0 for the text itself, more inside subqueries. */
  readonly nesting: { readonly depth: number; readonly isolatedScope: boolean };
  /** Analyses the clauses of a subquery, which may drop any name. @returns the scope after them */
  clauses(clauses: readonly Clause[], scope: Scope): Scope;
  /** Analyses a subquery; `isolatedScope`: one that does not see every name around it. */
  inside<T>(isolatedScope: boolean, analyse: () => T): T;
  expression(expression: Expression, scope: Scope, parameterCheck?: ParameterCheck): Kind;
  patternBody(body: Extract<Expression, { kind: "exists" | "count" }>["body"], scope: Scope): void;
  pattern(
    expression: Extract<Expression, { kind: "pattern-predicate" | "pattern-comprehension" }>,
    scope: Scope,
  ): Scope;
}

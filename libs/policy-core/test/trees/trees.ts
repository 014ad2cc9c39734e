/** Arbitrary trees of the language, only such as a text can have. */
import fc from "fast-check";
import type {
  Clause,
  Expression,
  LabelExpression,
  MapEntry,
  PathPattern,
  Query,
  SubqueryBody,
} from "../../src/cypher/ast.ts";
import { bodies, call, calledQuery, plainClauses, use } from "./clauses.ts";
import { expressionsOf } from "./expressions.ts";
import { elements, pathOf } from "./patterns.ts";
import { at, labelOf, name, some } from "./words.ts";

interface Trees {
  label: LabelExpression;
  expression: Expression;
  condition: Expression;
  predicatePath: PathPattern;
  path: PathPattern;
  entry: MapEntry;
  body: SubqueryBody;
  clause: Clause;
  called: Query;
}

const letTrees = fc.letrec<Trees>((tie: fc.LetrecTypedTie<Trees>) => {
  const depth = { maxDepth: 4, depthIdentifier: "tree" };
  const parts = {
    label: tie("label"),
    entry: tie("entry"),
    expression: tie("expression"),
    condition: tie("condition"),
    path: tie("path"),
    body: tie("body"),
  };
  return {
    label: fc.oneof(depth, ...labelOf(parts.label)),
    expression: fc.oneof(depth, ...expressionsOf(parts)),
    condition: fc.oneof(
      depth,
      parts.expression,
      tie("predicatePath").map((pattern): Expression => ({ kind: "pattern-predicate", pattern, at })),
    ),
    predicatePath: elements(parts, false, 1).map((inside): PathPattern => {
      return { kind: "path", elements: inside, at };
    }),
    path: pathOf(elements(parts, true, 0)),
    entry: fc
      .record({ key: name, value: parts.expression })
      .map((made): MapEntry => ({ kind: "entry", ...made, at })),
    body: fc.oneof(depth, ...bodies(parts)),
    clause: fc.oneof(depth, ...plainClauses(parts), call(tie("called"))),
    called: calledQuery(parts),
  };
});

export const { expression, path, label } = letTrees;

export const query: fc.Arbitrary<Query> = fc
  .tuple(fc.array(use, { maxLength: 1 }), some(letTrees.clause))
  .map(([first, rest]) => ({ kind: "query", clauses: [...first, ...rest], at }));

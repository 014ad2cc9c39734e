/** Clauses of arbitrary trees. */
import { omitUndefined } from "@ikg/contracts/values";
import fc from "fast-check";
import type {
  CallClause,
  Clause,
  Expression,
  PathPattern,
  ProjectionItem,
  Query,
  SubqueryBody,
} from "../../src/cypher/ast.ts";
import { aggregate } from "./expressions.ts";
import { at, bound, maybe, name, some, value } from "./words.ts";

/** What clauses are made of. */
export interface ClauseParts {
  readonly expression: fc.Arbitrary<Expression>;
  readonly condition: fc.Arbitrary<Expression>;
  readonly path: fc.Arbitrary<PathPattern>;
}

const items = (expression: fc.Arbitrary<Expression>): fc.Arbitrary<readonly ProjectionItem[]> =>
  fc.uniqueArray(
    fc
      .record({
        expression: fc.oneof({ weight: 3, arbitrary: expression }, aggregate(expression)),
        alias: name,
      })
      .map((parts): ProjectionItem => ({ kind: "item", ...parts, at })),
    { minLength: 1, maxLength: 3, selector: (item) => item.alias },
  );

const projection = ({ expression }: ClauseParts) =>
  fc
    .record({
      distinct: fc.boolean(),
      star: fc.boolean(),
      items: items(expression),
      orderBy: fc.array(
        fc
          .record({ expression, descending: fc.boolean() })
          .map((parts) => ({ kind: "sort" as const, ...parts, at })),
        { maxLength: 2 },
      ),
      skip: maybe(bound),
      limit: maybe(bound),
    })
    .map(({ skip, limit, ...parts }) => ({ ...parts, ...omitUndefined({ skip, limit }) }));

/** MATCH, WITH and UNWIND: the clauses that may stand anywhere. */
export const plainClauses = (parts: ClauseParts): readonly fc.Arbitrary<Clause>[] => [
  fc
    .record({ optional: fc.boolean(), patterns: some(parts.path), where: maybe(parts.condition) })
    .map(({ where, ...made }): Clause => ({ kind: "match", ...made, ...omitUndefined({ where }), at })),
  fc
    .tuple(projection(parts), maybe(parts.condition))
    .map(([made, where]): Clause => ({ kind: "with", ...made, ...omitUndefined({ where }), at })),
  fc
    .record({ expression: parts.expression, alias: name })
    .map((made): Clause => ({ kind: "unwind", ...made, at })),
];

/** The body of EXISTS or COUNT: patterns, or clauses. */
export const bodies = (parts: ClauseParts): readonly fc.Arbitrary<SubqueryBody>[] => [
  fc
    .record({ patterns: some(parts.path), where: maybe(parts.condition) })
    .map(({ patterns, where }): SubqueryBody => {
      return { kind: "pattern-body", patterns, ...omitUndefined({ where }), at };
    }),
  some(fc.oneof(...plainClauses(parts))).map((clauses): SubqueryBody => ({ kind: "query", clauses, at })),
];

export const call = (body: fc.Arbitrary<Query>): fc.Arbitrary<Clause> =>
  fc
    .record({
      imports: fc.oneof<fc.Arbitrary<CallClause["imports"]>[]>(
        fc.constantFrom("importing-with" as const, "all" as const),
        fc.array(name, { maxLength: 2 }),
      ),
      body,
    })
    .map((parts): Clause => ({ kind: "call", ...parts, at }));

/** The body of a CALL, with its RETURN. */
export const calledQuery = (parts: ClauseParts): fc.Arbitrary<Query> =>
  fc
    .tuple(fc.array(fc.oneof(...plainClauses(parts)), { maxLength: 2 }), projection(parts))
    .map(([clauses, made]): Query => {
      return { kind: "query", clauses: [...clauses, { kind: "return", ...made, at }], at };
    });

export const use: fc.Arbitrary<Clause> = fc
  .oneof(
    value.map((text) => ({ kind: "string" as const, value: text, at })),
    name.map((text) => ({ kind: "parameter" as const, name: text, at })),
  )
  .map((argument): Clause => ({ kind: "use", argument, at }));

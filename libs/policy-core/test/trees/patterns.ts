/** Nodes, relationships and paths of arbitrary trees. */
import { omitUndefined } from "@ikg/contracts/values";
import fc from "fast-check";
import type {
  Expression,
  LabelExpression,
  MapEntry,
  MapLiteral,
  NodePattern,
  PathPattern,
  RelationshipPattern,
} from "../../src/cypher/ast.ts";
import { at, length, maybe, name, types } from "./words.ts";

/** What patterns are made of. */
export interface PatternParts {
  readonly label: fc.Arbitrary<LabelExpression>;
  readonly entry: fc.Arbitrary<MapEntry>;
  readonly condition: fc.Arbitrary<Expression>;
}

export const mapOf = (entry: fc.Arbitrary<MapEntry>): fc.Arbitrary<MapLiteral> =>
  fc.array(entry, { maxLength: 2 }).map((entries) => ({ kind: "map", entries, at }));

const absent = fc.constant(undefined);

/** The members that nodes and relationships have in common. @param where whether they may hold a WHERE */
const details = ({ label, entry, condition }: PatternParts, where: boolean) => ({
  variable: maybe(name),
  label: maybe(label),
  properties: maybe(mapOf(entry)),
  where: where ? maybe(condition) : absent,
});

const node = (parts: PatternParts, where: boolean): fc.Arbitrary<NodePattern> =>
  fc.record(details(parts, where)).map((made) => ({ kind: "node", ...omitUndefined(made), at }));

const direction = fc.constantFrom("in", "out", "both" as const);

/** One hop of any types, or several of plain types and without a WHERE. */
const relationship = (parts: PatternParts, where: boolean): fc.Arbitrary<RelationshipPattern> =>
  fc
    .oneof(
      fc.record({ direction, ...details(parts, where), length: absent }),
      fc.record({ direction, ...details(parts, false), label: maybe(types), length }),
    )
    .map(({ direction: to, ...made }) => {
      return { kind: "relationship", direction: to, ...omitUndefined(made), at };
    });

/** A node and at least `least` hops. */
export const elements = (
  parts: PatternParts,
  where: boolean,
  least: number,
): fc.Arbitrary<PathPattern["elements"]> =>
  fc
    .tuple(
      node(parts, where),
      fc.array(fc.tuple(relationship(parts, where), node(parts, where)), { minLength: least, maxLength: 2 }),
    )
    .map(([first, rest]) => [first, ...rest.flat()]);

export const pathOf = (inside: fc.Arbitrary<PathPattern["elements"]>): fc.Arbitrary<PathPattern> =>
  fc.record({ variable: maybe(name), elements: inside }).map(({ variable, elements: made }): PathPattern => {
    return { kind: "path", ...omitUndefined({ variable }), elements: made, at };
  });

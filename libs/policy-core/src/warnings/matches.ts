import { isAggregating } from "../bindings/analyse-projection.ts";
import type { AnalysisReport } from "../bindings/scope.ts";
import type {
  CallClause,
  Clause,
  Expression,
  MatchClause,
  Node,
  PathPattern,
  Query,
  WithClause,
} from "../cypher/ast.ts";
import { itemName } from "../cypher/names.ts";
import { conjunction } from "../cypher/conjuncts.ts";
import { nodesOf } from "../cypher/walk.ts";

/** Patterns that are matched together, and what is known before they are. */
export interface Match {
  readonly patterns: readonly PathPattern[];
  readonly where: Expression | undefined;
  readonly known: ReadonlySet<string>;
  /** The number of rows compared with the MATCH before, or with the beginning: one, more, or the same. */
  readonly since: "one" | "more" | "kept";
  /** Of the text itself, not of a subquery. */
  readonly outer: boolean;
}

const namesOf = (patterns: readonly PathPattern[]): readonly string[] =>
  patterns.flatMap((path) =>
    [path.variable, ...path.elements.map(({ variable }) => variable)].flatMap((name) => name ?? []),
  );

const loops = (root: Node): readonly string[] =>
  [...nodesOf(root)].flatMap((node) =>
    node.kind === "list-comprehension" || node.kind === "quantifier" || node.kind === "reduce"
      ? [node.variable]
      : [],
  );

/** The bodies of EXISTS and COUNT in a part of a text, those inside others left to them. */
function* bodiesIn(root: Node, known: ReadonlySet<string>, report: AnalysisReport): Generator<Match, void> {
  const within = new Set([...known, ...loops(root)]);
  for (const node of nodesOf(root, ({ kind }) => kind !== "exists" && kind !== "count" && kind !== "call")) {
    if (node.kind !== "exists" && node.kind !== "count") continue;
    const { body } = node;
    if (body.kind === "query") {
      yield* matchesIn(body, within, false, report);
      continue;
    }
    yield { patterns: body.patterns, where: body.where, known: within, since: "one", outer: false };
    if (body.where !== undefined)
      yield* bodiesIn(body.where, new Set([...within, ...namesOf(body.patterns)]), report);
  }
}

const importedInto = (
  clause: CallClause,
  known: Iterable<string>,
  report: AnalysisReport,
): ReadonlySet<string> => {
  const imports = report.calls.get(clause)?.imports ?? [];
  return new Set(imports === "all" ? known : imports);
};

/** Clauses of a query, MATCH clauses that follow one another as one: the database plans them together. */
const partsOf = ({ clauses }: Query): readonly (readonly Clause[])[] => {
  const parts: Clause[][] = [];
  for (const clause of clauses) {
    const before = parts.at(-1);
    const [first] = before ?? [];
    if (isPlainMatch(clause) && first !== undefined && isPlainMatch(first)) before?.push(clause);
    else parts.push([clause]);
  }
  return parts;
};

const isPlainMatch = (clause: Clause): clause is MatchClause => clause.kind === "match" && !clause.optional;

/** `LIMIT 1`, or everything folded into one group. */
const givesOneRow = ({ limit, star, items }: WithClause): boolean =>
  (limit?.kind === "integer" && limit.value <= 1n) ||
  (!star && items.length > 0 && items.every(({ expression }) => isAggregating(expression)));

/** Every MATCH of a text in the order of the text, subqueries included. */
export function* matchesIn(
  query: Query,
  start: ReadonlySet<string>,
  outer: boolean,
  report: AnalysisReport,
): Generator<Match, void> {
  let known = new Set(start);
  let since: Match["since"] = "one";
  for (const part of partsOf(query)) {
    const matches = part.flatMap((clause) => (clause.kind === "match" ? [clause] : []));
    if (matches.length > 0) {
      const patterns = matches.flatMap((match) => match.patterns);
      const where = conjunction(matches.flatMap((match) => match.where ?? []));
      yield { patterns, where, known: new Set(known), since, outer };
      since = "kept";
      for (const name of namesOf(patterns)) known.add(name);
    }
    for (const clause of part) {
      if (clause.kind === "call") {
        since = "more";
        yield* matchesIn(clause.body, importedInto(clause, known, report), outer, report);
        for (const last of clause.body.clauses) {
          if (last.kind !== "return") continue;
          for (const name of [
            ...last.items.flatMap((item) => itemName(item) ?? []),
            ...(report.stars.get(last) ?? []),
          ])
            known.add(name);
        }
        continue;
      }
      if (clause.kind === "with") {
        known = new Set([
          ...(clause.star ? known : []),
          ...clause.items.flatMap((item) => itemName(item) ?? []),
        ]);
        if (givesOneRow(clause)) since = "one";
      } else if (clause.kind === "unwind") {
        known.add(clause.alias);
        since = "more";
      }
      yield* bodiesIn(clause, known, report);
    }
  }
}

import { isAggregating } from "../bindings/analyse-projection.ts";
import type { AnalysisReport } from "../bindings/scope.ts";
import type {
  Clause,
  MatchClause,
  NodePattern,
  PathPattern,
  ProjectionItem,
  Query,
  RelationshipPattern,
  WithClause,
} from "../cypher/ast.ts";
import { noPosition, variable } from "../rewrite/build.ts";
import { reportWithNames } from "./derived-report.ts";

/** An element of a pattern that can be returned at the end of the text; `hops`: a list of relationships. */
export interface NamedElement {
  readonly name: string;
  readonly kind: "node" | "relationship" | "hops";
}

/** A text in which every element of a pattern has a name, and the elements that are in scope at its end. */
interface NamedQuery {
  readonly query: Query;
  readonly report: AnalysisReport;
  /** In the order of the text. */
  readonly elements: readonly NamedElement[];
}

const kindOf = (element: NodePattern | RelationshipPattern): NamedElement["kind"] =>
  element.kind === "node" ? "node" : element.length === undefined ? "relationship" : "hops";

/** Gives generated names, which no author may use, and carries them to the end where that changes nothing. */
class Naming {
  readonly named = new Map<NodePattern, { original: NodePattern; name: string; optional: boolean }>();
  elements: readonly NamedElement[] = [];
  #count = 0;

  clause(clause: Clause): Clause {
    if (clause.kind === "match") return this.#match(clause);
    return clause.kind === "with" ? this.#with(clause) : clause;
  }

  #fresh(): string {
    this.#count += 1;
    return `__x${this.#count}`;
  }

  #match(clause: MatchClause): MatchClause {
    const patterns = clause.patterns.map((path): PathPattern => {
      const elements = path.elements.map((element) => {
        const name = element.variable ?? this.#fresh();
        const made = { ...element, variable: name };
        if (element.kind === "node" && made.kind === "node")
          this.named.set(made, { original: element, name, optional: clause.optional });
        this.#add({ name, kind: kindOf(element) });
        return made;
      });
      return { ...path, elements };
    });
    return { ...clause, patterns };
  }

  #add(element: NamedElement): void {
    if (this.elements.some(({ name }) => name === element.name)) return;
    this.elements = [...this.elements, element];
  }

  #with(clause: WithClause): WithClause {
    const keptAs = new Map(
      clause.items.flatMap(({ expression, alias }) =>
        expression.kind === "variable" ? [[expression.name, alias ?? expression.name] as const] : [],
      ),
    );
    const folds = clause.distinct || clause.items.some((item) => isAggregating(item.expression));
    const added: ProjectionItem[] = [];
    this.elements = this.elements.flatMap((element): readonly NamedElement[] => {
      const kept = keptAs.get(element.name) ?? (clause.star ? element.name : undefined);
      if (kept !== undefined) return [{ ...element, name: kept }];
      // One more column would make rows differ that are one group now.
      if (folds) return [];
      // A name that the author dropped may be bound again further on.
      const name = element.name.startsWith("__x") ? element.name : this.#fresh();
      added.push({
        kind: "item",
        expression: variable(element.name),
        ...(name === element.name ? {} : { alias: name }),
        at: noPosition,
      });
      return [{ ...element, name }];
    });
    return { ...clause, items: [...clause.items, ...added] };
  }
}

/**
 * Names every node and relationship of the MATCH clauses of the text itself.
 *
 * @param ends nodes that the text always binds, be it inside a CALL.
 */
export const nameElements = (query: Query, report: AnalysisReport, ends: readonly string[]): NamedQuery => {
  const naming = new Naming();
  const clauses = query.clauses.map((clause) => naming.clause(clause));
  const { elements } = naming;
  const unseen = ends.filter((end) => !elements.some(({ name }) => name === end));
  return {
    query: { ...query, clauses },
    report: reportWithNames(report, naming.named),
    elements: [...unseen.map((name): NamedElement => ({ name, kind: "node" })), ...elements],
  };
};

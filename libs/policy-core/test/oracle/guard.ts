import { projectLabel, type ProjectKey } from "@ikg/physical";
import type {
  Clause,
  Expression,
  LabelExpression,
  Node,
  NodePattern,
  PathPattern,
  ProjectionItem,
} from "../../src/cypher/ast.ts";
import { parse } from "../../src/cypher/parser.ts";
import { childrenOf } from "../../src/cypher/walk.ts";

type Names = ReadonlySet<string>;

/** Could a node without any label of this project have this label? Unknown labels may be there: null. */
const foreign = (label: LabelExpression, pk: ProjectKey): boolean | null => {
  switch (label.kind) {
    case "label":
      return label.name === projectLabel(pk) || label.name.endsWith(`__${pk}`) ? false : null;
    case "label-any":
      return true;
    case "label-not": {
      const inner = foreign(label.part, pk);
      return inner === null ? null : !inner;
    }
    case "label-and": {
      const parts = new Set(label.parts.map((part) => foreign(part, pk)));
      return parts.has(false) ? false : parts.has(null) ? null : true;
    }
    case "label-or": {
      const parts = new Set(label.parts.map((part) => foreign(part, pk)));
      return parts.has(true) ? true : parts.has(null) ? null : false;
    }
  }
};

/** A plain variable goes on under its own name. */
const nameOf = ({ alias, expression }: ProjectionItem): readonly string[] => {
  if (alias !== undefined) return [alias];
  return expression.kind === "variable" ? [expression.name] : [];
};

class Walk {
  readonly faults: string[] = [];
  readonly #pk: ProjectKey;

  constructor(pk: ProjectKey) {
    this.#pk = pk;
  }

  #node(pattern: NodePattern, names: Names): void {
    if (pattern.variable !== undefined && names.has(pattern.variable)) return;
    if (pattern.label === undefined || foreign(pattern.label, this.#pk) !== false)
      this.faults.push(`a node that is neither bound nor of the project: ${pattern.variable ?? "anonymous"}`);
  }

  /** Checks the nodes of paths and gives the names that they bind, with those before. */
  #paths(paths: readonly PathPattern[], names: Names): Names {
    const after = new Set(names);
    for (const path of paths) {
      for (const element of path.elements) {
        if (element.kind === "node") this.#node(element, after);
        if (element.variable !== undefined) after.add(element.variable);
      }
      if (path.variable !== undefined) after.add(path.variable);
    }
    for (const path of paths)
      for (const element of path.elements)
        for (const inner of childrenOf(element)) this.#inside(inner, after);
    return after;
  }

  /** Patterns inside of expressions. */
  #inside(node: Node, names: Names): void {
    switch (node.kind) {
      case "pattern-predicate":
        this.#paths([node.pattern], names);
        return;
      case "pattern-comprehension": {
        const after = this.#paths([node.pattern], names);
        if (node.where !== undefined) this.#inside(node.where, after);
        this.#inside(node.result, after);
        return;
      }
      case "list-comprehension":
      case "quantifier":
      case "reduce":
        // Their variables stand for elements of a list, which is looked through itself.
        for (const child of childrenOf(node)) this.#inside(child, new Set([...names, node.variable]));
        return;
      case "exists":
      case "count":
        if (node.body.kind === "query") this.clauses(node.body.clauses, names, names);
        else {
          const after = this.#paths(node.body.patterns, names);
          if (node.body.where !== undefined) this.#inside(node.body.where, after);
        }
        return;
      default:
        for (const child of childrenOf(node)) this.#inside(child, names);
    }
  }

  #projected(clause: Extract<Clause, { kind: "with" | "return" }>, names: Names, outer: Names): Names {
    for (const { expression } of clause.items) this.#inside(expression, names);
    const after = new Set([
      ...outer,
      ...(clause.star ? names : []),
      ...clause.items.flatMap((item) => nameOf(item)),
    ]);
    const parts: (Expression | undefined)[] = [
      ...clause.orderBy.map(({ expression }) => expression),
      clause.kind === "with" ? clause.where : undefined,
    ];
    for (const part of parts) if (part !== undefined) this.#inside(part, new Set([...names, ...after]));
    return after;
  }

  clauses(clauses: readonly Clause[], before: Names, outer: Names): Names {
    let names = before;
    for (const clause of clauses)
      switch (clause.kind) {
        case "match":
          names = this.#paths(clause.patterns, names);
          if (clause.where !== undefined) this.#inside(clause.where, names);
          break;
        case "with":
        case "return":
          names = this.#projected(clause, names, outer);
          break;
        case "unwind":
          this.#inside(clause.expression, names);
          names = new Set([...names, clause.alias]);
          break;
        case "call": {
          const seen = Array.isArray(clause.imports) ? new Set<string>(clause.imports as string[]) : names;
          const inner = this.clauses(
            clause.body.clauses,
            seen,
            clause.imports === "importing-with" ? new Set() : seen,
          );
          names = new Set([...names, ...inner]);
          break;
        }
        case "use":
          break;
      }
    return names;
  }
}

/**
 * The statement as the policy reader can read it: RETURN on top of it is a WITH, a CALL is one whether optional or not.
 */
const readable = (text: string): string =>
  text.replaceAll(/^OPTIONAL CALL /gm, "CALL ").replaceAll(/^RETURN /gm, "WITH ");

/** Node patterns of a printed statement that could match a node of another project; what could not be read. */
export const unguarded = (text: string, pk: ProjectKey): readonly string[] => {
  const parsed = parse(readable(text), { use: true, call: true });
  if (parsed.query === undefined)
    return parsed.ok ? [] : parsed.faults.map(({ message }) => `not read: ${message}`);
  const walk = new Walk(pk);
  walk.clauses(parsed.query.clauses, new Set(), new Set());
  return walk.faults;
};

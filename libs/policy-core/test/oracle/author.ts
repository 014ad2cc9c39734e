/** Writes a condition as its author would: plain logical names, in one of several styles. */
import type {
  ClauseSpec,
  Expr,
  HopElement,
  ItemSpec,
  LabelSpec,
  NodeElement,
  PathSpec,
  PathStep,
  Scalar,
  Style,
} from "./model.ts";

const words = new Set(["true", "false", "null"]);

const name = (text: string): string =>
  /^[A-Za-z_]\w*$/.test(text) && !words.has(text) ? text : `\`${text.replaceAll("`", "``")}\``;

const quoted = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;

const literal = (value: Scalar | null): string => {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return Number.isInteger(value) ? `${value}.0` : String(value);
  return String(value);
};

/** How tightly an expression binds; a looser one inside a tighter one needs parentheses. */
const binding = {
  or: 1,
  xor: 2,
  and: 3,
  not: 4,
  compare: 5,
  test: 6,
  add: 7,
  times: 8,
  minus: 10,
  postfix: 11,
  atom: 12,
} as const;

const strength = (expr: Expr): number => {
  switch (expr.kind) {
    case "or":
    case "xor":
    case "and":
    case "not":
    case "compare":
    case "minus":
      return binding[expr.kind];
    case "text-test":
    case "in":
    case "is-null":
    case "has-label":
      return binding.test;
    case "arithmetic":
      return expr.operator === "+" || expr.operator === "-" ? binding.add : binding.times;
    case "node-path":
    case "edge-path":
    case "index":
    case "slice":
      return binding.postfix;
    case "literal":
      return typeof expr.value !== "string" && Number(expr.value) < 0 ? binding.minus : binding.atom;
    default:
      return binding.atom;
  }
};

export const stepText = (step: PathStep): string => {
  switch (step.to) {
    case "system":
      return step.name;
    case "property":
      return `property.${name(step.name)}${step.long === true ? ".value" : ""}`;
    case "metadata":
      return `property.${name(step.name)}.metadata.${name(step.key)}`;
    case "trust":
      return `trust_score.${step.name}`;
  }
};

const plain: Style = { small: false, tight: false, parentheses: true };

/** Writes clauses and expressions as an author of a style would. */
class Author {
  readonly #style: Style;

  constructor(style: Style) {
    this.#style = style;
  }

  clause(spec: ClauseSpec): string {
    switch (spec.kind) {
      case "match":
        return `${this.#word(spec.optional ? "OPTIONAL MATCH" : "MATCH")} ${this.#paths(spec.paths)}${this.#where(spec.where)}`;
      case "with":
        return this.#with(spec);
      case "subquery":
        return this.#subquery(spec);
      case "unwind":
        return `${this.#word("UNWIND")} ${this.expression(spec.list)} ${this.#word("AS")} ${name(spec.as)}`;
    }
  }

  expression(expr: Expr): string {
    switch (expr.kind) {
      case "literal":
        return literal(expr.value);
      case "variable":
        return name(expr.name);
      case "reference":
        return `$${[expr.name, ...expr.path].map(name).join(".")}`;
      case "list":
        return `[${this.#expressions(expr.items)}]`;
      case "call":
        return `${expr.name}(${this.#expressions(expr.args)})`;
      case "aggregate":
        return this.#aggregate(expr);
      case "case":
        return this.#case(expr);
      case "exists":
      case "count-rows":
        return this.#body(expr);
      case "path-exists":
        return this.#path(expr.path);
      case "each-path":
        return `[${this.#path(expr.path)}${this.#inBrackets(expr.where)} | ${this.expression(expr.result)}]`;
      case "each":
      case "quantifier":
      case "reduce":
        return this.#loop(expr);
      case "node-path":
      case "edge-path":
      case "index":
      case "slice":
      case "has-label":
        return this.#postfix(expr);
      default:
        return this.#operation(expr);
    }
  }

  get #comma(): string {
    return this.#style.tight ? "," : ", ";
  }

  #word(text: string): string {
    return this.#style.small ? text.toLowerCase() : text;
  }

  #expressions(list: readonly Expr[]): string {
    return list.map((each) => this.expression(each)).join(this.#comma);
  }

  #paths(paths: readonly PathSpec[]): string {
    return paths.map((each) => this.#path(each)).join(this.#comma);
  }

  /** As an operand of something that binds with `least`. */
  #operand(expr: Expr, least: number): string {
    const text = this.expression(expr);
    const enough = strength(expr) >= (this.#style.parentheses ? binding.atom : least);
    return enough ? text : `(${text})`;
  }

  #operation(expr: Extract<Expr, { kind: OperationKind }>): string {
    switch (expr.kind) {
      case "not":
        return `${this.#word("NOT")} ${this.#operand(expr.of, binding.not)}`;
      case "minus":
        return `-${this.#operand(expr.of, binding.atom)}`;
      case "and":
      case "or":
      case "xor": {
        const own = binding[expr.kind];
        const operator = this.#word(expr.kind.toUpperCase());
        return `${this.#operand(expr.left, own)} ${operator} ${this.#operand(expr.right, own + 1)}`;
      }
      case "compare":
        return [
          this.#operand(expr.first, binding.test),
          ...expr.rest.map((step) => `${step.operator} ${this.#operand(step.expr, binding.test)}`),
        ].join(" ");
      case "text-test":
        return `${this.#operand(expr.left, binding.add)} ${this.#word(expr.operator)} ${this.#operand(expr.right, binding.add)}`;
      case "in":
        return `${this.#operand(expr.left, binding.add)} ${this.#word("IN")} ${this.#operand(expr.right, binding.add)}`;
      case "is-null":
        return `${this.#operand(expr.of, binding.add)} ${this.#word(expr.negated ? "IS NOT NULL" : "IS NULL")}`;
      case "arithmetic": {
        const own = strength(expr);
        return `${this.#operand(expr.left, own)} ${expr.operator} ${this.#operand(expr.right, own + 1)}`;
      }
    }
  }

  #postfix(
    expr: Extract<Expr, { kind: "node-path" | "edge-path" | "index" | "slice" | "has-label" }>,
  ): string {
    const target = this.#operand(expr.of, binding.postfix);
    switch (expr.kind) {
      case "node-path":
        return `${target}.${stepText(expr.step)}`;
      case "edge-path":
        return `${target}.${name(expr.name)}`;
      case "has-label":
        return `${target}:${this.#label(expr.label, true)}`;
      case "index":
        return `${target}[${this.expression(expr.index)}]`;
      case "slice": {
        const [from, to] = [expr.from, expr.to].map((each) =>
          each === undefined ? "" : this.expression(each),
        );
        return `${target}[${from}..${to}]`;
      }
    }
  }

  #aggregate(expr: Extract<Expr, { kind: "aggregate" }>): string {
    if (expr.arg === undefined) return `${this.#word("COUNT")}(*)`;
    const distinct = expr.distinct ? `${this.#word("DISTINCT")} ` : "";
    return `${this.#word(expr.name.toUpperCase())}(${distinct}${this.expression(expr.arg)})`;
  }

  #case(expr: Extract<Expr, { kind: "case" }>): string {
    const branches = expr.branches.map(
      ({ when, then }) =>
        `${this.#word("WHEN")} ${this.expression(when)} ${this.#word("THEN")} ${this.expression(then)}`,
    );
    return [
      this.#word("CASE"),
      ...(expr.subject === undefined ? [] : [this.expression(expr.subject)]),
      ...branches,
      ...(expr.otherwise === undefined ? [] : [`${this.#word("ELSE")} ${this.expression(expr.otherwise)}`]),
      this.#word("END"),
    ].join(" ");
  }

  #loop(expr: Extract<Expr, { kind: "each" | "quantifier" | "reduce" }>): string {
    const inList = `${name(expr.variable)} ${this.#word("IN")} ${this.expression(expr.list)}`;
    switch (expr.kind) {
      case "each": {
        const result = expr.result === undefined ? "" : ` | ${this.expression(expr.result)}`;
        return `[${inList}${this.#inBrackets(expr.where)}${result}]`;
      }
      case "quantifier":
        return `${this.#word(expr.quantifier.toUpperCase())}(${inList}${this.#where(expr.where)})`;
      case "reduce":
        return `reduce(${name(expr.accumulator)} = ${this.expression(expr.initial)}, ${inList} | ${this.expression(expr.result)})`;
    }
  }

  #body(expr: Extract<Expr, { kind: "exists" | "count-rows" }>): string {
    const keyword = this.#word(expr.kind === "exists" ? "EXISTS" : "COUNT");
    const first = expr.body[0];
    const short = expr.short && expr.body.length === 1 && first?.kind === "match" && !first.optional;
    const body = short
      ? `${this.#paths(first.paths)}${this.#where(first.where)}`
      : expr.body.map((each) => this.clause(each)).join(" ");
    return `${keyword} { ${body} }`;
  }

  #label(spec: LabelSpec, inside = false): string {
    switch (spec.kind) {
      case "is":
        return name(spec.name);
      case "any-label":
        return "%";
      case "no":
        return `!${this.#label(spec.part, true)}`;
      default: {
        const parts = spec.parts.map((part) => this.#label(part, true));
        const text = parts.join(spec.kind === "both" ? "&" : "|");
        return inside ? `(${text})` : text;
      }
    }
  }

  #map(entries: NodeElement["map"]): string {
    return entries === undefined || entries.length === 0
      ? ""
      : ` {${entries.map(({ key, value }) => `${name(key)}: ${this.expression(value)}`).join(this.#comma)}}`;
  }

  #where(condition: Expr | undefined): string {
    return condition === undefined ? "" : ` ${this.#word("WHERE")} ${this.expression(condition)}`;
  }

  /** Before a `|` a label test would continue, so there the condition gets parentheses. */
  #inBrackets(condition: Expr | undefined): string {
    return condition === undefined ? "" : ` ${this.#word("WHERE")} (${this.expression(condition)})`;
  }

  #node(element: NodeElement): string {
    const variable = element.variable === undefined ? "" : name(element.variable);
    const label = element.label === undefined ? "" : `:${this.#label(element.label)}`;
    return `(${variable}${label}${this.#map(element.map)}${this.#where(element.where)})`;
  }

  #hop(element: HopElement): string {
    const variable = element.variable === undefined ? "" : name(element.variable);
    const types = element.types === undefined ? "" : `:${this.#label(element.types)}`;
    const inner = `${variable}${types}${lengthText(element)}${this.#map(element.map)}${this.#where(element.where)}`;
    const box = inner === "" && this.#style.tight ? "" : `[${inner}]`;
    return `${element.direction === "in" ? "<-" : "-"}${box}${element.direction === "out" ? "->" : "-"}`;
  }

  #path(spec: PathSpec): string {
    const hops = spec.hops.map((next) => this.#hop(next.hop) + this.#node(next.node));
    const elements = [this.#node(spec.start), ...hops].join("");
    return spec.variable === undefined ? elements : `${name(spec.variable)} = ${elements}`;
  }

  #items(specs: readonly ItemSpec[]): string {
    return specs
      .map(({ expr, as }) =>
        expr.kind === "variable" && expr.name === as
          ? name(as)
          : `${this.expression(expr)} ${this.#word("AS")} ${name(as)}`,
      )
      .join(this.#comma);
  }

  #with(spec: Extract<ClauseSpec, { kind: "with" }>): string {
    const parts = [...(spec.star ? ["*"] : []), ...(spec.items.length > 0 ? [this.#items(spec.items)] : [])];
    const order = spec.order.map(
      (key) => this.expression(key.expr) + (key.descending ? ` ${this.#word("DESC")}` : ""),
    );
    return [
      `${this.#word("WITH")}${spec.distinct ? ` ${this.#word("DISTINCT")}` : ""} ${parts.join(this.#comma)}`,
      ...(order.length === 0 ? [] : [`${this.#word("ORDER BY")} ${order.join(this.#comma)}`]),
      ...(spec.skip === undefined ? [] : [`${this.#word("SKIP")} ${this.expression(spec.skip)}`]),
      ...(spec.limit === undefined ? [] : [`${this.#word("LIMIT")} ${this.expression(spec.limit)}`]),
      ...(spec.where === undefined ? [] : [this.#where(spec.where).trim()]),
    ].join(" ");
  }

  #subquery(spec: Extract<ClauseSpec, { kind: "subquery" }>): string {
    const names = spec.imports.map((each) => name(each.name)).join(this.#comma);
    const importing = spec.listed || names === "" ? [] : [`${this.#word("WITH")} ${names}`];
    const clauses = spec.body.map((each) => this.clause(each));
    const body = [...importing, ...clauses, `${this.#word("RETURN")} ${this.#items(spec.items)}`];
    return `${this.#word("CALL")} ${spec.listed ? `(${names}) ` : ""}{ ${body.join(" ")} }`;
  }
}

type OperationKind =
  | ("not" | "minus" | "and" | "or" | "xor")
  | ("compare" | "text-test" | "in" | "is-null" | "arithmetic");

const lengthText = ({ length: range }: HopElement): string => {
  if (range === undefined) return "";
  const { min, max } = range;
  if (min === undefined && max === undefined) return "*";
  return min === max ? `*${min}` : `*${min ?? ""}..${max ?? ""}`;
};

/** The text of a condition. */
export const conditionText = (clauses: readonly ClauseSpec[], style: Style): string => {
  const author = new Author(style);
  const texts = clauses.map((each) => author.clause(each));
  // Real policies have no blank between a closing parenthesis and the next clause.
  return texts
    .reduce((text, next) => text + (style.tight && text.endsWith(")") ? "" : " ") + next, "")
    .trim();
};

export const expressionText = (expr: Expr, style: Style = plain): string =>
  new Author(style).expression(expr);

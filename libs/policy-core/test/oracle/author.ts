/** Writes a condition as its author would: plain logical names, in one of several hands. */
import type {
  ClauseSpec,
  Expr,
  FilterSpec,
  HopElement,
  ItemSpec,
  LabelSpec,
  NodeElement,
  OperandSpec,
  PathSpec,
  PathStep,
  Scalar,
  Stored,
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

const hand = ({ small, tight, parentheses }: Style) => {
  const word = (text: string): string => (small ? text.toLowerCase() : text);
  const comma = tight ? "," : ", ";

  /** As an operand of something that binds with `least`. */
  const operand = (expr: Expr, least: number): string => {
    const text = expression(expr);
    const enough = strength(expr) >= (parentheses ? binding.atom : least);
    return enough ? text : `(${text})`;
  };

  const label = (spec: LabelSpec, inside = false): string => {
    switch (spec.kind) {
      case "is":
        return name(spec.name);
      case "any-label":
        return "%";
      case "no":
        return `!${label(spec.part, true)}`;
      default: {
        const text = spec.parts.map((part) => label(part, true)).join(spec.kind === "both" ? "&" : "|");
        return inside ? `(${text})` : text;
      }
    }
  };

  const map = (entries: NodeElement["map"]): string =>
    entries === undefined || entries.length === 0
      ? ""
      : ` {${entries.map(({ key, value }) => `${name(key)}: ${expression(value)}`).join(comma)}}`;

  const where = (condition: Expr | undefined): string =>
    condition === undefined ? "" : ` ${word("WHERE")} ${expression(condition)}`;

  /** Before a `|` a label test would go on, so there the condition gets parentheses. */
  const inBrackets = (condition: Expr | undefined): string =>
    condition === undefined ? "" : ` ${word("WHERE")} (${expression(condition)})`;

  const node = (element: NodeElement): string =>
    `(${element.variable === undefined ? "" : name(element.variable)}${
      element.label === undefined ? "" : `:${label(element.label)}`
    }${map(element.map)}${where(element.where)})`;

  const length = ({ length: range }: HopElement): string => {
    if (range === undefined) return "";
    const { min, max } = range;
    if (min === undefined && max === undefined) return "*";
    return min === max ? `*${min}` : `*${min ?? ""}..${max ?? ""}`;
  };

  const hop = (element: HopElement): string => {
    const inner = `${element.variable === undefined ? "" : name(element.variable)}${
      element.types === undefined ? "" : `:${label(element.types)}`
    }${length(element)}${map(element.map)}${where(element.where)}`;
    const box = inner === "" && tight ? "" : `[${inner}]`;
    return `${element.direction === "in" ? "<-" : "-"}${box}${element.direction === "out" ? "->" : "-"}`;
  };

  const path = (spec: PathSpec): string => {
    const elements = [node(spec.start), ...spec.hops.map((next) => hop(next.hop) + node(next.node))].join("");
    return spec.variable === undefined ? elements : `${name(spec.variable)} = ${elements}`;
  };

  const inList = (expr: { variable: string; list: Expr }): string =>
    `${name(expr.variable)} ${word("IN")} ${expression(expr.list)}`;

  const expression = (expr: Expr): string => {
    switch (expr.kind) {
      case "literal":
        return literal(expr.value);
      case "variable":
        return name(expr.name);
      case "reference":
        return `$${[expr.name, ...expr.path].map(name).join(".")}`;
      case "node-path":
        return `${operand(expr.of, binding.postfix)}.${stepText(expr.step)}`;
      case "edge-path":
        return `${operand(expr.of, binding.postfix)}.${name(expr.name)}`;
      case "not":
        return `${word("NOT")} ${operand(expr.of, binding.not)}`;
      case "minus":
        return `-${operand(expr.of, binding.atom)}`;
      case "and":
      case "or":
      case "xor": {
        const own = binding[expr.kind];
        return `${operand(expr.left, own)} ${word(expr.kind.toUpperCase())} ${operand(expr.right, own + 1)}`;
      }
      case "compare":
        return [
          operand(expr.first, binding.test),
          ...expr.rest.map((step) => `${step.operator} ${operand(step.expr, binding.test)}`),
        ].join(" ");
      case "text-test":
        return `${operand(expr.left, binding.add)} ${word(expr.operator)} ${operand(expr.right, binding.add)}`;
      case "in":
        return `${operand(expr.left, binding.add)} ${word("IN")} ${operand(expr.right, binding.add)}`;
      case "is-null":
        return `${operand(expr.of, binding.add)} ${word(expr.negated ? "IS NOT NULL" : "IS NULL")}`;
      case "has-label":
        return `${operand(expr.of, binding.postfix)}:${label(expr.label, true)}`;
      case "arithmetic": {
        const own = strength(expr);
        return `${operand(expr.left, own)} ${expr.operator} ${operand(expr.right, own + 1)}`;
      }
      case "list":
        return `[${expr.items.map(expression).join(comma)}]`;
      case "index":
        return `${operand(expr.of, binding.postfix)}[${expression(expr.index)}]`;
      case "slice": {
        const [from, to] = [expr.from, expr.to].map((each) => (each === undefined ? "" : expression(each)));
        return `${operand(expr.of, binding.postfix)}[${from}..${to}]`;
      }
      case "call":
        return `${expr.name}(${expr.args.map(expression).join(comma)})`;
      case "aggregate":
        return expr.arg === undefined
          ? `${word("COUNT")}(*)`
          : `${word(expr.name.toUpperCase())}(${expr.distinct ? `${word("DISTINCT")} ` : ""}${expression(expr.arg)})`;
      case "case": {
        const branches = expr.branches.map(
          ({ when, then }) => `${word("WHEN")} ${expression(when)} ${word("THEN")} ${expression(then)}`,
        );
        return [
          word("CASE"),
          ...(expr.subject === undefined ? [] : [expression(expr.subject)]),
          ...branches,
          ...(expr.otherwise === undefined ? [] : [`${word("ELSE")} ${expression(expr.otherwise)}`]),
          word("END"),
        ].join(" ");
      }
      case "each":
        return `[${inList(expr)}${inBrackets(expr.where)}${expr.result === undefined ? "" : ` | ${expression(expr.result)}`}]`;
      case "quantifier":
        return `${word(expr.quantifier.toUpperCase())}(${inList(expr)}${where(expr.where)})`;
      case "reduce":
        return `reduce(${name(expr.accumulator)} = ${expression(expr.initial)}, ${inList(expr)} | ${expression(expr.result)})`;
      case "exists":
      case "count-rows": {
        const called = word(expr.kind === "exists" ? "EXISTS" : "COUNT");
        const first = expr.body[0];
        const short = expr.short && expr.body.length === 1 && first?.kind === "match" && !first.optional;
        const body = short
          ? `${first.paths.map(path).join(comma)}${where(first.where)}`
          : expr.body.map(clause).join(" ");
        return `${called} { ${body} }`;
      }
      case "path-exists":
        return path(expr.path);
      case "each-path":
        return `[${path(expr.path)}${inBrackets(expr.where)} | ${expression(expr.result)}]`;
    }
  };

  const items = (specs: readonly ItemSpec[]): string =>
    specs
      .map(({ expr, as }) =>
        expr.kind === "variable" && expr.name === as
          ? name(as)
          : `${expression(expr)} ${word("AS")} ${name(as)}`,
      )
      .join(comma);

  const clause = (spec: ClauseSpec): string => {
    switch (spec.kind) {
      case "match":
        return `${word(spec.optional ? "OPTIONAL MATCH" : "MATCH")} ${spec.paths.map(path).join(comma)}${where(spec.where)}`;
      case "with": {
        const parts = [...(spec.star ? ["*"] : []), ...(spec.items.length > 0 ? [items(spec.items)] : [])];
        const order = spec.order.map(
          (key) => expression(key.expr) + (key.descending ? ` ${word("DESC")}` : ""),
        );
        return [
          `${word("WITH")}${spec.distinct ? ` ${word("DISTINCT")}` : ""} ${parts.join(comma)}`,
          ...(order.length === 0 ? [] : [`${word("ORDER BY")} ${order.join(comma)}`]),
          ...(spec.skip === undefined ? [] : [`${word("SKIP")} ${expression(spec.skip)}`]),
          ...(spec.limit === undefined ? [] : [`${word("LIMIT")} ${expression(spec.limit)}`]),
          ...(spec.where === undefined ? [] : [where(spec.where).trim()]),
        ].join(" ");
      }
      case "subquery": {
        const names = spec.imports.map((each) => name(each.name)).join(comma);
        const importing = spec.listed || names === "" ? [] : [`${word("WITH")} ${names}`];
        const body = [...importing, ...spec.body.map(clause), `${word("RETURN")} ${items(spec.items)}`];
        return `${word("CALL")} ${spec.listed ? `(${names}) ` : ""}{ ${body.join(" ")} }`;
      }
      case "unwind":
        return `${word("UNWIND")} ${expression(spec.list)} ${word("AS")} ${name(spec.as)}`;
    }
  };

  return { clause, expression };
};

/** The text of a condition. */
export const conditionText = (clauses: readonly ClauseSpec[], style: Style): string => {
  const texts = clauses.map(hand(style).clause);
  // Real policies have no blank between a closing parenthesis and the next clause.
  return texts
    .reduce((text, next) => text + (style.tight && text.endsWith(")") ? "" : " ") + next, "")
    .trim();
};

export const expressionText = (expr: Expr, style: Style = plain): string => hand(style).expression(expr);

const jsonOf = (value: Stored): unknown =>
  Array.isArray(value)
    ? value.map((each: Scalar) => jsonOf(each))
    : typeof value === "bigint"
      ? Number(value)
      : value;

const operandText = (operand: OperandSpec): string => {
  switch (operand.is) {
    case "literal":
      return String(operand.value);
    case "reference":
      return `$${[operand.name, ...operand.path].join(".")}`;
    case "node":
      return `${operand.alias}.${stepText(operand.step).replaceAll("`", "")}`;
    case "edge":
      return `${operand.alias}.${operand.name}`;
    case "value":
      return operand.name;
    case "instant":
      return operandText(operand.of);
  }
};

const operandJson = (operand: OperandSpec): unknown => {
  if (operand.is === "instant") return { type: "datetime", value: operandText(operand.of) };
  if (operand.is === "literal") return jsonOf(operand.value);
  const text = operandText(operand);
  return operand.is === "node" || operand.is === "edge" ? `@${text}` : text;
};

/** The JSON of a filter. */
export const filterJson = (filter: FilterSpec): unknown => {
  if (!("attribute" in filter))
    return { operator: filter.operator, operands: filter.operands.map(filterJson) };
  return {
    attribute:
      filter.attribute.is === "instant" ? operandJson(filter.attribute) : operandText(filter.attribute),
    operator: filter.operator,
    ...(filter.value === undefined ? {} : { value: operandJson(filter.value) }),
  };
};

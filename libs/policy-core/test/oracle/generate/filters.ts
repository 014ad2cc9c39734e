import type { LeafOperator } from "../../../src/filters/leaf-operators.ts";
import type { FilterSpec, OperandSpec, PathStep } from "../model.ts";
import { trustDimensions } from "../world.ts";
import type { Draw } from "./draw.ts";
import { mixedProperty, texts } from "./graphs.ts";
import { namesOfKind, type Scope } from "./scope.ts";

type Flavour = "number" | "text" | "list" | "mixed" | "truth" | "time";

const reference = (name: string, ...path: string[]): OperandSpec => ({ is: "reference", name, path });

/** Where a filter is drawn from; `$request` is there for KBAC only. */
interface Source {
  readonly draw: Draw;
  readonly request: boolean;
}

/** Attributes that every filter may read, with what they mostly hold. */
const outside = ({ draw, request }: Source): readonly [Flavour, OperandSpec] =>
  draw.pick<readonly [Flavour, OperandSpec]>([
    ["text", reference("token", "sub")],
    ["number", reference("token", "level")],
    ["text", reference("token", "scope")],
    ["list", reference("token", "groups")],
    ["text", reference("token", "act", "sub")],
    ["mixed", reference("token", "mixed")],
    ["number", reference("i")],
    ["text", reference("s")],
    ["number", reference("o", "a", "b")],
    ["truth", reference("flag")],
    ["time", reference("token", "iat")],
    ["time", reference("when")],
    ["mixed", reference("mixed")],
    ...(request
      ? ([
          ["number", reference("request", "context", "n")],
          ["text", reference("request", "resource", "properties", "s")],
        ] as const)
      : []),
  ]);

const nodeSteps = (draw: Draw): readonly [Flavour, PathStep] =>
  draw.pick<readonly [Flavour, PathStep]>([
    ["number", { to: "property", name: "n" }],
    ["number", { to: "property", name: "m" }],
    ["number", { to: "property", name: "f" }],
    ["text", { to: "property", name: "s" }],
    ["text", { to: "property", name: "type" }],
    ["truth", { to: "property", name: "b" }],
    ["list", { to: "property", name: "l" }],
    ["mixed", { to: "property", name: mixedProperty }],
    ["text", { to: "property", name: "s", long: true }],
    ["text", { to: "system", name: "external_id" }],
    ["text", { to: "system", name: "type" }],
    ["time", { to: "system", name: "create_time" }],
    ["time", { to: "metadata", name: "n", key: "verified_time" }],
    ["time", { to: "property", name: mixedProperty }],
    ["text", { to: "metadata", name: "s", key: "source" }],
    ["number", { to: "metadata", name: "n", key: "assurance_level" }],
    ["number", { to: "trust", name: draw.pick(trustDimensions) }],
  ]);

/** Around the times of the graph and of the tokens. */
const times = [
  "2026-01-02T03:04:05Z",
  "2026-01-02T04:04:05.000+01:00",
  "2026-01-01T00:00:00Z",
  "2026-02-01T00:00:00.5-02:00",
] as const;

/** Patterns that mean the same in every engine. */
const patterns = ["a.*", "[ab]+", "(a|b)", ".?b?", "n\\d", "(read|write)er.*", "", "A|a"] as const;

/** Aliases that a path of a filter can name: plain names only. */
const usable = (names: readonly string[]): string[] => names.filter((name) => /^[A-Za-z_]\w*$/.test(name));

const graphPath = (draw: Draw, scope: Scope): readonly [Flavour, OperandSpec] | undefined => {
  const [nodes, edges] = [usable(namesOfKind(scope, "node")), usable(namesOfKind(scope, "edge"))];
  if (edges.length > 0 && draw.chance(0.2)) {
    const [flavour, name] = draw.pick<readonly [Flavour, string]>([
      ["number", "w"],
      ["number", "since"],
      ["text", "note"],
      ["text", "type"],
    ]);
    return [flavour, { is: "edge", alias: draw.pick(edges), name }];
  }
  if (nodes.length === 0) return undefined;
  const [flavour, step] = nodeSteps(draw);
  return [flavour, { is: "node", alias: draw.pick(nodes), step }];
};

const value = (draw: Draw, scope: Scope): readonly [Flavour, OperandSpec] | undefined => {
  const kinds = { int: "number", float: "number", text: "text", truth: "truth", "text-bag": "list" } as const;
  const names = usable(namesOfKind(scope, "int", "float", "text", "truth", "text-bag"));
  if (names.length === 0) return undefined;
  const name = draw.pick(names);
  const kind = scope.names.get(name) as keyof typeof kinds;
  return [kinds[kind], { is: "value", name }];
};

const literal = (draw: Draw, flavour: Flavour): OperandSpec => {
  if (flavour === "number")
    return { is: "literal", value: draw.chance(0.2) ? draw.int(0, 3) + 0.5 : BigInt(draw.int(-1, 4)) };
  if (flavour === "time") return { is: "instant", of: { is: "literal", value: draw.pick(times) } };
  if (flavour === "truth") return { is: "literal", value: draw.chance(0.5) };
  if (flavour === "mixed") return { is: "literal", value: draw.pick([1n, 1.5, "a", "1", true]) };
  return { is: "literal", value: draw.pick(texts) };
};

/** Operators of a test with a value, weighted by repetition; IS NULL and IS NOT NULL are drawn with any attribute. */
export const operators: Readonly<Record<Flavour, readonly LeafOperator[]>> = {
  number: ["=", "<>", "<", "<=", ">", ">=", "IN"],
  text: ["=", "<>", "<", ">", "CONTAINS", "STARTS WITH", "ENDS WITH", "IN", "=~"],
  list: ["CONTAINS", "CONTAINS", "="],
  mixed: ["=", "<>", "<", ">=", "CONTAINS", "STARTS WITH", "IN"],
  truth: ["=", "<>", "IN"],
  time: ["=", "<>", "<", "<=", ">", ">="],
};

const list = (draw: Draw, flavour: Flavour): OperandSpec => {
  const items = draw.list(1, 4, () => {
    const each = literal(draw, flavour);
    return each.is === "literal" && !Array.isArray(each.value) ? (each.value as string) : "a";
  });
  return draw.among<OperandSpec>([
    [2, () => ({ is: "literal", value: items })],
    [1, () => reference(flavour === "number" ? "nums" : "ids")],
  ]);
};

const right = (
  source: Source,
  flavour: Flavour,
  operator: LeafOperator,
  scope: Scope | undefined,
): OperandSpec => {
  const { draw } = source;
  const other = scope && draw.chance(0.25) ? graphPath(draw, scope)?.[1] : undefined;
  if (operator === "IN") {
    const nodes = scope === undefined ? [] : usable(namesOfKind(scope, "node"));
    if (nodes.length > 0 && draw.chance(0.3))
      return {
        is: "node",
        alias: draw.pick(nodes),
        step: { to: "property", name: draw.pick(["l", "k", mixedProperty]) },
      };
    return list(draw, flavour);
  }
  if (operator === "=~") return { is: "literal", value: draw.pick(patterns) };
  if (flavour === "time")
    return draw.chance(0.2) ? { is: "instant", of: reference("when") } : literal(draw, "time");
  if (other !== undefined) return other;
  if (draw.chance(0.15)) return outside(source)[1];
  if (draw.chance(0.1)) return literal(draw, draw.pick(["number", "text"]));
  if (flavour !== "mixed") return literal(draw, flavour === "list" ? "text" : flavour);
  // A boolean has no order, and a literal one is refused where one is wanted.
  return literal(draw, /^[<>]=?$/.test(operator) && operator !== "<>" ? "number" : "mixed");
};

/** `scope` undefined: the filter is evaluated without the graph. */
export const filter = (source: Source, scope: Scope | undefined, depth = 2): FilterSpec => {
  const { draw } = source;
  if (depth > 0 && draw.chance(0.4)) {
    const operator = draw.pick(["AND", "OR", "OR", "NOT"] as const);
    const most = operator === "NOT" ? 1 : 3;
    return { operator, operands: draw.list(1, most, () => filter(source, scope, depth - 1)) };
  }
  const inside =
    scope && draw.chance(0.75)
      ? ((draw.chance(0.3) ? value(draw, scope) : undefined) ?? graphPath(draw, scope))
      : undefined;
  const [flavour, attribute] = inside ?? outside(source);
  if (draw.chance(0.15)) return { operator: draw.pick(["IS NULL", "IS NOT NULL"] as const), attribute };
  const operator = draw.pick(operators[flavour]);
  return { operator, attribute, value: right(source, flavour, operator, scope) };
};

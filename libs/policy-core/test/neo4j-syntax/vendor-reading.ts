import { getDebugTree, type SimpleTree } from "@neo4j-cypher/language-support";

/** Thrown for a text that is no expression for the vendor's parser. */
export class VendorRefusal extends Error {}

const parts = (tree: SimpleTree): readonly SimpleTree[] => tree.children ?? [];
const isToken = (tree: SimpleTree): boolean => parts(tree).length === 0;

const tokensOf = (tree: SimpleTree): readonly string[] =>
  isToken(tree) ? [tree.name] : parts(tree).flatMap(tokensOf);

/** Rules that say of a token only what kind it is, and the one that is empty where a name has no dots. */
const empty = new Set(["namespace", "<EOF>"]);

const find = (tree: SimpleTree, name: string): SimpleTree | undefined => {
  if (tree.name === name) return tree;
  for (const part of parts(tree)) {
    const found = find(part, name);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** `a`, operator, `b`, operator, `c` from the left: `((a + b) - c)`. */
const fromTheLeft = (children: readonly SimpleTree[]): string => {
  let left = read(children[0]);
  for (let index = 1; index + 1 < children.length; index += 2) {
    left = `(${left} ${text(children[index])} ${read(children[index + 1])})`;
  }
  return left;
};

const prefixed = (children: readonly SimpleTree[]): string => {
  const operand = read(children.at(-1));
  const separator = text(children[0]) === "NOT" ? " " : "";
  return children.slice(0, -1).reduceRight((inner, sign) => `(${text(sign)}${separator}${inner})`, operand);
};

const chained = (children: readonly SimpleTree[]): string =>
  `(${children.map((child, index) => (index % 2 === 0 ? read(child) : text(child))).join(" ")})`;

const suffixed = (operand: SimpleTree | undefined, suffix: SimpleTree | undefined): string => {
  const tests = parts(suffix ?? { name: "" });
  const label = tests.find(({ name }) => name.startsWith("labelExpression"));
  if (label !== undefined) return `(${read(operand)}:${read(label)})`;
  const last = tests.at(-1);
  if (last !== undefined && last.name.startsWith("expression")) {
    return `(${read(operand)} ${tests.slice(0, -1).map(text).join(" ")} ${read(last)})`;
  }
  return `(${read(operand)} ${tests.map(text).join(" ")})`;
};

const text = (tree: SimpleTree | undefined): string =>
  tree === undefined
    ? ""
    : tokensOf(tree)
        .filter((token) => !empty.has(token))
        .join("")
        .toUpperCase();

const hung = (children: readonly SimpleTree[]): string =>
  children.slice(1).reduce((target, part) => `(${target}${read(part)})`, read(children[0]));

/** A tree as text in which every operator has its parentheses, by the structure that the vendor's parser gave it. */
const read = (tree: SimpleTree | undefined): string => {
  if (tree === undefined) throw new VendorRefusal("something is missing");
  if (isToken(tree)) return empty.has(tree.name) ? "" : tree.name;
  const children = parts(tree);
  switch (tree.name) {
    case "expression":
    case "expression11":
    case "expression10":
    case "expression6":
    case "expression5":
    case "expression4":
      return fromTheLeft(children);
    case "labelExpression4":
    case "labelExpression3":
      return labels(children);
    case "expression9":
    case "expression3":
    case "labelExpression2":
    case "numberLiteral":
      return prefixed(children);
    case "expression8":
      return children.length === 1 ? read(children[0]) : chained(children);
    case "expression7":
      return children.length === 1 ? read(children[0]) : suffixed(children[0], children[1]);
    case "expression2":
      return hung(children);
    case "parenthesizedExpression":
      return read(children[1]);
    case "labelExpression1":
      return children.length === 3 ? read(children[1]) : joined(children);
    default:
      return joined(children);
  }
};

/** `A & B & C` is one conjunction, whatever its spelling. */
const labels = (children: readonly SimpleTree[]): string => {
  if (children.length === 1) return read(children[0]);
  const mark = text(children[1]) === "|" ? "|" : "&";
  return `(${children
    .filter((child) => !/^[|&:]$/.test(text(child)))
    .map(read)
    .join(mark)})`;
};

const words = new Set(["CASE", "WHEN", "THEN", "ELSE", "END", "IN", "WHERE"]);

/** Keywords stand between blanks, and nothing else does. */
const joined = (children: readonly SimpleTree[]): string =>
  children.map((child) => (words.has(text(child)) ? ` ${text(child)} ` : read(child))).join("");

/** Blanks only where they tell words apart. */
const tidy = (reading: string): string =>
  reading
    .replaceAll(/ +/g, " ")
    .replaceAll(/(?<=[([{,:]|[^|]\|) | (?=[)\]},]|\|[^|])|(?<=END) (?=[.[])|(?<=\([+-]) /g, "")
    .trim();

const withoutBlanks = (part: string): string => part.replaceAll(/\s+/g, "");

const visible = (tree: SimpleTree): string =>
  withoutBlanks(
    tokensOf(tree)
      .filter((token) => !empty.has(token))
      .join(""),
  );

/** Whether the vendor's parser finds a place in its tree for everything in a text. */
export const readsWhole = (statement: string): boolean =>
  visible(getDebugTree(statement)) === withoutBlanks(statement);

/**
 * How the vendor's parser reads an expression.
 *
 * @throws VendorRefusal when it does not read the whole of it
 */
export const vendorReading = (expression: string): string => {
  const tree = getDebugTree(`UNWIND ${expression} AS r`);
  if (visible(tree) !== withoutBlanks(`UNWIND ${expression} AS r`)) throw new VendorRefusal(expression);
  return tidy(read(find(tree, "expression")));
};

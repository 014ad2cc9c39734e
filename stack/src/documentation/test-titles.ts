/** The names that the tests of a file can have, by the titles in its text. */
import { type Expression, parseSync, type TemplateLiteral } from "@swc/core";

interface Titles {
  /** of every `describe`, as a regular expression */
  readonly groups: Set<string>;
  /** of every `it`, behind those of the `describe` around it */
  readonly tests: Set<string>;
}

/** A value of the row of a table, which jest-each puts in. */
const placeholder = /%[sdifjoOp#]|\$[\w.]+|\$#/;

const ofText = (text: string): string =>
  text
    .split(placeholder)
    .map((part) => RegExp.escape(part))
    .join(".*");

const ofTemplate = ({ quasis }: TemplateLiteral): string =>
  quasis.map(({ cooked, raw }) => ofText(cooked ?? raw)).join(".*");

/** What is computed may be anything. */
const patternOf = (title: Expression | undefined): string => {
  if (title?.type === "StringLiteral") return ofText(title.value);
  if (title?.type === "TemplateLiteral") return ofTemplate(title);
  return ".+";
};

/** `describe` of `describe.each(rows)` and of `(isThere ? describe : describe.skip)`. */
const nameOf = (callee: Expression): string | undefined => {
  switch (callee.type) {
    case "Identifier":
      return callee.value;
    case "MemberExpression":
      return nameOf(callee.object);
    case "CallExpression":
      return callee.callee.type === "Super" || callee.callee.type === "Import"
        ? undefined
        : nameOf(callee.callee);
    case "ParenthesisExpression":
      return nameOf(callee.expression);
    case "ConditionalExpression":
      return nameOf(callee.consequent);
    default:
      return undefined;
  }
};

const elementsOf = (list: Expression | undefined): readonly (Expression | undefined)[] =>
  list?.type === "ArrayExpression"
    ? list.elements.map((element) => (element?.spread ? undefined : element?.expression))
    : [undefined];

/** `describeRows` of the fixtures of errors: a group for each row, a test for each of its cases. */
const addRows = (rows: Expression, { groups, tests }: Titles): void => {
  for (const row of elementsOf(rows)) {
    const [title, cases] = elementsOf(row);
    const group = patternOf(title);
    groups.add(group);
    for (const each of elementsOf(cases)) tests.add(`${group} ${patternOf(elementsOf(each)[0])}`);
  }
};

const isExpression = (node: object): node is Expression => "type" in node;

const walk = (node: unknown, around: readonly string[], titles: Titles): void => {
  if (typeof node !== "object" || node === null) return;
  let inside = around;
  if (isExpression(node) && node.type === "CallExpression") {
    const [title, body] = node.arguments;
    const name = nameOf(node);
    if (name === "describeRows" && title !== undefined) addRows(title.expression, titles);
    if (title !== undefined && body !== undefined) {
      const pattern = patternOf(title.expression);
      if (name === "describe") {
        titles.groups.add(pattern);
        inside = [...around, pattern];
      }
      if (name === "it") titles.tests.add([...around, pattern].join(" "));
    }
  }
  for (const child of Object.values(node)) walk(child, inside, titles);
};

/** Tests that a function of the file makes may be in any `describe` of it. */
export const testNames = (source: string): RegExp => {
  const titles: Titles = { groups: new Set(), tests: new Set() };
  walk(parseSync(source, { syntax: "typescript" }), [], titles);
  const [groups, tests] = [titles.groups, titles.tests].map((each) => [...each].join("|"));
  return new RegExp(`^(?:(?:${groups}) )*(?:${tests})$`, "s");
};

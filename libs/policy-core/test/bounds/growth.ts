import fc from "fast-check";

/** Expressions that give a text or a list, drawn so that values grow: the larger, the better. */
export interface Growing {
  readonly text: string;
  readonly kind: "text" | "list";
}

/** Names that an expression may use besides what is always there. */
interface Names {
  readonly texts: readonly string[];
  readonly lists: readonly string[];
}

const nothing: Names = { texts: [], lists: [] };

const texts = ["'x,'", "'a'", "','", "$s", "$token.claim", "subject.property.text", "chart.property.text"];
const lists = [
  "['a', 'bb,']",
  "$l",
  "$token.list",
  "subject.property.list",
  "chart.property.list",
  // By a clause before the expression.
  "collected",
  "[]",
];

const depthOf = { depthSize: "small", maxDepth: 4, withCrossShrink: true } as const;

const each = (make: (...parts: string[]) => string, ...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((drawn) => make(...drawn));

const textWith = (names: Names, depth: number): fc.Arbitrary<string> => {
  const leaf = fc.constantFrom(...texts, ...names.texts);
  if (depth === 0) return leaf;
  const text = (): fc.Arbitrary<string> => textWith(names, depth - 1);
  const list = (): fc.Arbitrary<string> => listWith(names, depth - 1);
  const name = `t${depth}`;
  const step = textWith(
    { texts: [...names.texts, name, `a${depth}`], lists: names.lists },
    Math.min(1, depth - 1),
  );
  return fc.oneof(
    { ...depthOf, depthIdentifier: "text" },
    leaf,
    each((a, b) => `(${a} + ${b})`, text(), text()),
    each((a, b, c) => `replace(${a}, ${b}, ${c})`, text(), leaf, text()),
    each((a) => `toUpper(${a})`, text()),
    each((a) => `reverse(${a})`, text()),
    each((a) => `left(${a}, 1000)`, text()),
    each((a) => `head(${a})`, list()),
    each((a, b, c) => `reduce(a${depth} = ${a}, ${name} IN ${b} | ${c})`, text(), list(), step),
    each((a, b) => `reduce(a${depth} = ${a}, ${name} IN ${b} | a${depth} + ${name})`, text(), list()),
    each((a, b) => `CASE WHEN size(${a}) > 3 THEN ${a} ELSE ${b} END`, text(), text()),
  );
};

const listWith = (names: Names, depth: number): fc.Arbitrary<string> => {
  const leaf = fc.constantFrom(...lists, ...names.lists);
  if (depth === 0) return leaf;
  const text = (): fc.Arbitrary<string> => textWith(names, depth - 1);
  const list = (): fc.Arbitrary<string> => listWith(names, depth - 1);
  const name = `x${depth}`;
  const inner = textWith({ ...names, texts: [...names.texts, name] }, depth - 1);
  return fc.oneof(
    { ...depthOf, depthIdentifier: "list" },
    leaf,
    each((a, b) => `split(${a}, ${b})`, text(), fc.constantFrom("','", "''", "'a'")),
    each((a, b) => `(${a} + ${b})`, list(), list()),
    each((a) => `tail(${a})`, list()),
    each((a, b) => `[${name} IN ${a} | ${b}]`, list(), inner),
    each(
      (a, b, c) => `[${name} IN ${a} WHERE any(y${depth} IN ${b} WHERE y${depth} = ${c})]`,
      list(),
      list(),
      inner,
    ),
    each((a, b) => `[${name} IN ${a} WHERE ${name} IN ${b}]`, list(), list()),
    each((a, b) => `reduce(a${depth} = ${a}, ${name} IN ${b} | a${depth} + [${name}])`, list(), list()),
    each((a, b) => `[${a}, ${b}]`, text(), text()),
  );
};

/** An expression over the properties `text` and `list` of two nodes, a list `collected`, parameters and claims. */
export const growing: fc.Arbitrary<Growing> = fc.oneof(
  textWith(nothing, 3).map((text): Growing => ({ text, kind: "text" })),
  listWith(nothing, 3).map((text): Growing => ({ text, kind: "list" })),
);

/** How often what the expression gives is doubled by clauses after it. */
export const doublings = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 30 }));

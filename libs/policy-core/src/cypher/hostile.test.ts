import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { mapTree } from "./map.ts";
import { tooDeep } from "./depth.ts";
import { nodesOf } from "./walk.ts";
import { parse } from "./parser.ts";
import { printTree } from "./printer.ts";
import { isLong } from "../../test/runs.ts";
import { query } from "../../test/trees/trees.ts";

const everything = { use: true, call: true };
const longest = 20_000;

const condition = (text: string): string => `MATCH (a) WHERE ${text}`;
const chain = (part: string, joint: string, size: number): string =>
  Array(Math.floor(size / (part.length + joint.length)))
    .fill(part)
    .join(joint);
const fill = (part: string, size: number): string => chain(part, "", size);
const nest = (open: string, inside: string, close: string, size: number): string => {
  const depth = Math.floor(size / (open.length + close.length));
  return `${open.repeat(depth)}${inside}${close.repeat(depth)}`;
};

/** Texts of about `size` characters that make careless readers overflow or slow. */
const bombs: Record<string, (size: number) => string> = {
  parentheses: (size) => fill("(", size),
  "closed parentheses": (size) => condition(nest("(", "1", ")", size)),
  brackets: (size) => condition(fill("[", size)),
  braces: (size) => condition(fill("{a:", size)),
  subqueries: (size) => condition(nest("EXISTS { MATCH (a) WHERE ", "true", "}", size)),
  comprehensions: (size) => condition(nest("[x IN l WHERE ", "true", "]", size)),
  calls: (size) => fill("CALL { ", size),
  NOT: (size) => condition(`${fill("NOT ", size)}true`),
  signs: (size) => condition(`${fill("-", size)}1`),
  "label signs": (size) => `MATCH (a:${fill("!", size)}A)`,
  cases: (size) => condition(fill("CASE ", size)),
  "closed cases": (size) => condition(nest("CASE WHEN 1 THEN ", "1", " END", size)),
  sum: (size) => condition(chain("1", "+", size)),
  power: (size) => condition(chain("1", "^", size)),
  conjunction: (size) => condition(chain("a", " AND ", size)),
  comparison: (size) => condition(chain("1", "<", size)),
  keys: (size) => condition(`a${fill(".a", size)}`),
  indexes: (size) => condition(`a${fill("[0]", size)}`),
  "dotted function": (size) => condition(`${chain("a", ".", size)}()`),
  labels: (size) => condition(`a${fill(":A", size)}`),
  bars: (size) => condition(`[x IN l WHERE x:A${fill("|A", size)}|x] = []`),
  path: (size) => `MATCH (a)${fill("-->()", size)}`,
  patterns: (size) => `MATCH ${chain("(a)", ",", size)}`,
  "pattern predicate": (size) => condition(`${fill("(a)--", size)}(a)`),
  subtraction: (size) => condition(chain("(a)", "-", size)),
  lists: (size) => condition(`[${chain("[1]", ",", size)}]`),
  clauses: (size) => fill("MATCH(a)", size),
  "forbidden clauses": (size) => fill("CREATE (a) ", size),
  "broken clauses": (size) => fill("MATCH (a b) ", size),
  words: (size) => fill("a ", size),
  "closing brackets": (size) => fill(") ] } ", size),
  comments: (size) => fill("/**/", size),
  "open comment": (size) => fill("/*", size),
  escapes: (size) => condition(`'${fill("\\\\", size)}'`),
  "open string": (size) => condition(`'${fill("a", size)}`),
  "back-quotes": (size) => `MATCH (\`${fill("``", size)}\`)`,
  digits: (size) => condition(fill("1", size)),
  underscores: (size) => condition(fill("1_", size)),
  lines: (size) => `${fill("\n", size)}MATCH (a b)`,
};

const readings = isLong() ? 4 : 2;

/** Processor time of one reading, in milliseconds: the least of some. */
const cost = (text: string): number => {
  let least = Infinity;
  for (let run = 0; run < readings; run += 1) {
    const start = process.cpuUsage();
    parse(text, everything);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
};

describe("texts made to break a reader", () => {
  it.each(Object.entries(bombs))("%s: are read or refused", (_name, bomb) => {
    const parsed = parse(bomb(longest), everything);
    if (parsed.ok) {
      expect(parse(printTree(mapTree(parsed.query, {})), everything).ok).toBe(true);
    } else {
      expect(parsed.faults.length).toBeGreaterThan(0);
    }
  });

  it.each(Object.entries(bombs))("%s: cost in proportion to their length", (_name, bomb) => {
    const whole = cost(bomb(longest));
    // A reader that is quadratic takes 16 times as long for four times the length.
    if (whole > 40) expect(whole / cost(bomb(longest / 4))).toBeLessThan(10);
    expect(whole).toBeLessThan(500);
  });
});

/** Pieces that have broken guards before. */
const piece = fc.constantFrom(
  ...[
    "(WHERE true)",
    "(a:(A|B)WHERE ",
    "where",
    "`",
    "``",
    "'",
    '"',
    "\\",
    "\\u0027",
    "\u2014",
    "\u00A0",
    "\u2028",
  ],
  ...[
    "s'{x}'",
    "007",
    "//",
    "/*",
    "*/",
    "\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    ":",
    "$",
    "$(",
    "..",
    "-->",
    "<-",
  ],
  ...[
    " CREATE (x) ",
    " RETURN 1 ",
    " SET a.x = 1 ",
    " CALL { ",
    " USE x ",
    ";",
    " UNION ",
    " DELETE a ",
    "\u0000",
  ],
);

describe("mutations", () => {
  it("of any text give a tree or refusals, and never a throw", () => {
    fc.assert(
      fc.property(
        query,
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), piece), { maxLength: 4 }),
        (tree, changes) => {
          fc.pre(tooDeep(tree) === undefined);
          let text = printTree(tree);
          for (const [at, removed, added] of changes) {
            const offset = at % (text.length + 1);
            text = text.slice(0, offset) + added + text.slice(offset + removed);
          }
          const parsed = parse(text, everything);
          if (!parsed.ok) {
            expect(parsed.faults.length).toBeGreaterThan(0);
            return;
          }
          const printed = printTree(parsed.query);
          const again = parse(printed, everything);
          expect(again.ok && printTree(again.query)).toBe(printed);
        },
      ),
      { numRuns: 250 },
    );
  });

  it("of raw text likewise", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.array(piece), (raw, pieces) => {
        const parsed = parse(`MATCH (a) WHERE a.x = ${raw}${pieces.join("")}`, everything);
        expect(parsed.ok || parsed.faults.length > 0).toBe(true);
      }),
      { numRuns: 250 },
    );
  });

  it("never bring in a clause: what is printed begins clauses only where the tree has them", () => {
    const name = fc
      .string({ unit: "binary", minLength: 1, maxLength: 30 })
      .filter((text) => !text.includes("\\u"));
    const hostile = fc.oneof(
      name.filter((text) => text.isWellFormed()),
      piece.filter((text) => !text.includes("\\u")),
      fc.constantFrom("a`) CREATE (b:`c", "x' OR 1=1 //", "*/ DELETE a", "a\\", "'; DROP"),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (variable, label, key, value) => {
        const at = 0;
        const text = printTree({
          kind: "query",
          clauses: [
            {
              kind: "match",
              optional: false,
              patterns: [
                {
                  kind: "path",
                  elements: [
                    {
                      kind: "node",
                      variable,
                      label: { kind: "label", name: label, at },
                      properties: {
                        kind: "map",
                        entries: [{ kind: "entry", key, value: { kind: "string", value, at }, at }],
                        at,
                      },
                      at,
                    },
                  ],
                  at,
                },
              ],
              at,
            },
          ],
          at,
        });
        const parsed = parse(text, everything);
        expect(parsed.ok && parsed.query.clauses.map((clause) => clause.kind)).toEqual(["match"]);
        if (!parsed.ok) return;
        const names = [...nodesOf(parsed.query)].flatMap((node) =>
          node.kind === "node" ? [node.variable] : node.kind === "label" ? [node.name] : [],
        );
        expect(names).toEqual([variable, label]);
      }),
      { numRuns: 300 },
    );
  });

  it("of names into clause words are still names", () => {
    const clauseWord = fc.constantFrom(
      "CREATE",
      "merge",
      "Set",
      "DELETE",
      "RETURN",
      "call",
      "USE",
      "Match",
      "with",
    );
    fc.assert(
      fc.property(clauseWord, clauseWord, clauseWord, (variable, label, key) => {
        const text = `MATCH (${variable}:${label} {${key}: '${label}'}) WHERE ${variable}.${key} = $${label} WITH ${variable} AS ${key}`;
        expect(parse(text, everything).ok).toBe(true);
      }),
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Driver } from "neo4j-driver";
import type { Printed } from "../sample-policies/statements-of.ts";
import { isLong, seed, timeLimit } from "../runs.ts";
import { openPlanner, typeOf } from "./explain.ts";
import { dangersIn, outcomeOf } from "./outcome.ts";
import { names, pieces } from "./pieces.ts";
import { positions } from "./positions.ts";

const texts = ["zz", ...names, ...pieces];
const accepted = new Map<string, Printed>();
/** `npm test` tries one text in ten at each position, others at the next one and in the next run. */
const share = isLong() ? 1 : 10;
/** The vendor's parser and the database's planner take tens of milliseconds each. */
const looked = isLong() ? 1_000 : 8;

const numbered = positions.map(([name, position], number) => [name, position, number] as const);

const textsAt = (number: number): readonly string[] =>
  texts.filter((_, index) => (index + number + seed()) % share === 0);

/** Some of what was accepted, other ones from position to position. */
const some = (count: number): readonly Printed[] => {
  const all = [...accepted.values()].filter(({ writes }) => !writes);
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0);
};

let driver: Driver;

beforeAll(() => {
  driver = openPlanner();
});
afterAll(() => driver.close());

describe("hostile texts", () => {
  it.each(numbered)("as %s are taken or refused with a place", (_name, position, number) => {
    for (const text of textsAt(number)) {
      const { statements, untyped } = outcomeOf(position(text));
      expect({ text, untyped }).toEqual({ text, untyped: [] });
      for (const statement of statements) accepted.set(statement.text, statement);
    }
  });

  it(
    "that are taken read one project and do nothing else, for the vendor's parser",
    () => {
      expect(accepted.size).toBeGreaterThan(1_000 / share);
      expect(dangersIn(some(looked))).toEqual([]);
    },
    timeLimit(120_000),
  );

  it(
    "that are taken are read-only for the database",
    async () => {
      for (const { text } of some(looked)) {
        const type = await typeOf(driver, text);
        // It has rules of its own, which are checked when a policy is saved; a write would have another type.
        if (!/^Neo\.ClientError\.Statement\.(Syntax|Semantic|Type)/.test(type))
          expect({ type, text }).toEqual({ type: "r", text });
      }
    },
    timeLimit(120_000),
  );
});

describe("the danger that is looked for", () => {
  it.each([
    ["MATCH (a:A__00000000) CREATE (b)", /createClause/],
    ["MATCH (a:A__00000000) SET a.x = 1", /setClause/],
    ["MATCH (a:A__00000000) DETACH DELETE a", /deleteClause/],
    ["MATCH (a:A__00000000) CALL { WITH a MERGE (b) }", /mergeClause/],
    ["MATCH (a:A__00000000) CALL (a) { REMOVE a.x } IN TRANSACTIONS", /removeClause/],
    ["CALL db.labels() YIELD label RETURN label", /procedureName/],
    ["LOAD CSV FROM 'x' AS l RETURN l", /loadCSVClause/],
    ["USE neo4j MATCH (a:A__00000000) RETURN a", /useClause/],
    ["MATCH (a:A__00000000) RETURN a; MATCH (b:B__00000000) RETURN b", /2 statements/],
    ["MATCH (a) RETURN a", /no label of the project/],
    ["MATCH (a:A__11111111) RETURN a", /no label of the project/],
    ["MATCH (a:A__00000000) WHERE EXISTS { (a)-->() } RETURN a", /no label of the project/],
    ["MATCH (a:A__00000000) RETURN [(a)-->(b) | b.x]", /no label of the project/],
    ["DROP INDEX x", /command/],
  ])("is found in %s", (text, danger) => {
    expect(dangersIn([{ purpose: "read", text, writes: false }]).join("\n")).toMatch(danger);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Graph } from "@ikg/graph";
import type { Driver } from "neo4j-driver";
import { startCanary } from "../bounds/canary.ts";
import { corpusIsAbsent } from "../../../../stack/src/testing/corpus.ts";
import { corpus, queriesOf } from "../corpus.ts";
import { openTestGraph } from "../graph.ts";
import { isLong, runs, seed, timeLimit } from "../runs.ts";
import { policies } from "../sample-policies/policies.ts";
import type { Printed } from "../sample-policies/statements-of.ts";
import { openPlanner, typeOf } from "./explain.ts";
import { dangersIn, outcomeOf } from "./outcome.ts";
import { growing, names, pieces } from "./pieces.ts";
import { type Asked, positions } from "./positions.ts";
import { dropHostileGraph, runAccepted, writeHostileGraph } from "./run-accepted.ts";

interface Source {
  readonly policy: object;
  readonly queries: readonly object[];
}

const ours: readonly Source[] = policies.map(([policy, queries]) => ({ policy, queries }));
const written: readonly Source[] = corpus.flatMap((entry) =>
  entry.policy === undefined ? [] : [{ policy: entry.policy, queries: queriesOf(entry) }],
);

/** A place in a text, as a share of it; how much is taken out there; what is put in. */
type Change = readonly [at: number, removed: number, added: string];

const changed = (text: string, changes: readonly Change[]): string =>
  changes.reduce((before, [at, removed, added]) => {
    const offset = Math.floor(at * (before.length + 1));
    return before.slice(0, offset) + added + before.slice(offset + removed);
  }, text);

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.double({ min: 0, max: 0.999, noNaN: true }),
  fc.oneof(fc.constant(0), fc.nat({ max: 3 }), fc.nat({ max: 40 })),
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...pieces, ...names) },
    { weight: 2, arbitrary: fc.constantFrom(...growing) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 5 }) },
  ),
);
const changes = fc.array(change, { minLength: 1, maxLength: 4 });

/** Changes one string inside a JSON value, `turn` choosing which: what stays JSON gets deeper into the checks. */
const inside = (value: unknown, turn: number, edit: (text: string) => string): unknown => {
  let left = turn;
  const strings = (each: unknown): number =>
    typeof each === "string"
      ? 1
      : typeof each === "object" && each !== null
        ? Object.values(each).reduce<number>((sum, part) => sum + strings(part), 0)
        : 0;
  left = turn % Math.max(1, strings(value));
  const go = (each: unknown): unknown => {
    if (typeof each === "string") return left-- === 0 ? edit(each) : each;
    if (Array.isArray(each)) return each.map(go);
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, part]) => [key, go(part)]));
  };
  return go(value);
};

const cypherOf = (policy: object): string =>
  (policy as { readonly condition?: { readonly cypher?: string } }).condition?.cypher ?? "";

const withCypher = (policy: object, cypher: string): object => ({
  ...policy,
  condition: { ...(policy as { readonly condition?: object }).condition, cypher },
});

const mutated = (sources: readonly Source[]): fc.Arbitrary<Asked> =>
  fc
    .record({
      source: fc.constantFrom(...sources),
      how: fc.constantFrom("cypher", "cypher", "string", "string", "query", "raw" as const),
      changes,
      turn: fc.nat(),
    })
    .map(({ source, how, changes: made, turn }) => {
      const edit = (text: string): string => changed(text, made);
      const policy =
        how === "cypher"
          ? withCypher(source.policy, edit(cypherOf(source.policy)))
          : how === "string"
            ? inside(source.policy, turn, edit)
            : source.policy;
      const queries = source.queries.map((query) =>
        JSON.stringify(how === "query" ? inside(query, turn, edit) : query),
      );
      const text = JSON.stringify(policy);
      return how === "raw" ? { policy: edit(text), queries: queries.map(edit) } : { policy: text, queries };
    });

const composed: fc.Arbitrary<Asked> = fc
  .tuple(
    fc.constantFrom(...positions),
    fc.array(fc.constantFrom(...pieces, ...names), { minLength: 1, maxLength: 3 }),
  )
  .map(([[, position], parts]) => position(parts.join("")));

const texts = runs(33_000, 300);
/** A statement ends when its time is over, or a second later; the machine may be busy. */
const [limitMs, graceMs, slackMs] = [3_000, 1_000, 2_000];
/** The vendor's parser takes 10 ms, the database likewise. */
const looked = isLong() ? 2_000 : Math.max(60, runs(0));
/** What was taken of each kind of text. */
const kinds = ["ours", "corpus", "positions"] as const;
const accepted = { ours: new Map<string, Printed>(), corpus: new Map(), positions: new Map() };

/** Statements that read: of each kind as many, from the first ones drawn to the last ones. */
const readingStatements = (): readonly Printed[] => {
  const readingOf = kinds.map((kind) => [...accepted[kind].values()].filter(({ writes }) => !writes));
  const drawn = readingOf.filter(({ length }) => length > 0);
  return drawn.flatMap((statements) => {
    const step = Math.max(1, statements.length / Math.ceil(looked / drawn.length));
    return statements.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  });
};

let driver: Driver;
let graph: Graph;

beforeAll(async () => {
  driver = openPlanner();
  graph = openTestGraph(false);
  await graph.prepare();
  await writeHostileGraph(graph);
}, 60_000);
afterAll(async () => {
  await dropHostileGraph(graph);
  await graph.close();
  await driver.close();
}, 60_000);

const attack = (kind: (typeof kinds)[number], asked: fc.Arbitrary<Asked>): void => {
  fc.assert(
    fc.property(asked, (each) => {
      const { statements, untyped } = outcomeOf(each);
      expect(untyped).toEqual([]);
      for (const statement of statements) accepted[kind].set(statement.text, statement);
    }),
    { numRuns: texts, seed: seed() },
  );
};

describe("mutations", () => {
  it(
    "of our policies and queries are taken or refused with a place",
    () => attack("ours", mutated(ours)),
    600_000,
  );

  (corpusIsAbsent === undefined ? it : it.skip)(
    `of the corpus are taken or refused with a place${corpusIsAbsent === undefined ? "" : ` (skipped: ${corpusIsAbsent})`}`,
    () => attack("corpus", mutated(written)),
    600_000,
  );

  it("of every position are taken or refused with a place", () => attack("positions", composed), 600_000);

  it("that are taken read one project and do nothing else, for the vendor's parser and for the database", async () => {
    const statements = readingStatements();
    expect(statements.length).toBeGreaterThan(50);
    expect(dangersIn(statements)).toEqual([]);
    for (const { text } of statements) {
      const type = await typeOf(driver, text);
      if (!/^Neo\.ClientError\.Statement\.(Syntax|Semantic|Type)/.test(type))
        expect({ type, text }).toEqual({ type: "r", text });
    }
  }, 1_200_000);

  it(
    "that are taken end in time with the largest values, and cost another tenant no answer",
    async () => {
      const statements = readingStatements();
      const slow: unknown[] = [];
      const canary = await startCanary(graph);
      for (const statement of statements) {
        const { ms, error } = await runAccepted(graph, statement, limitMs);
        if (error !== undefined || ms > limitMs + graceMs + slackMs)
          slow.push({ ms, error: String(error), text: statement.text });
      }
      await canary.stop();
      expect(slow).toEqual([]);
      expect(canary.failures).toEqual([]);
      expect(Math.max(...canary.answers)).toBeLessThan(graceMs + slackMs);
    },
    timeLimit(600_000),
  );
});

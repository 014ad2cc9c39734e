import { describe, expect, it } from "@jest/globals";
import { dimensionNames } from "@ikg/contracts";
import fc from "fast-check";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import { defaultConstants } from "./constants.ts";
import { roundScore } from "./round.ts";
import { type ScorableNode, scorableNode } from "./scorable.ts";
import { scoreNode, type ScoringContext } from "./score-node.ts";

const now = Date.parse("2026-06-01T00:00:00Z");
const time = fc
  .integer({ min: Date.parse("2000-01-01T00:00:00Z"), max: Date.parse("2050-01-01T00:00:00Z") })
  .map((ms) => new Date(ms).toISOString());
const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.array(fc.string()),
  time,
  time.map((text) => text.slice(0, 10)),
);
const name = fc.constantFrom("a", "b", "name", "valid_until", "issued_on", "expiry", "not-before", "_hidden");
const anything = fc.oneof(fc.constant(undefined), time, fc.string(), fc.integer());
const source = fc.oneof(
  fc.constantFrom("user", "self-attested", "id.gov", "x"),
  fc.string(),
  fc.constant(undefined),
);

const property = fc.record({ name, value, verifiedTime: anything, source, updateTime: anything });
const node: fc.Arbitrary<ScorableNode> = fc.record({
  createTime: anything,
  updateTime: anything,
  properties: fc.uniqueArray(property, { selector: (each) => each.name, maxLength: 6 }),
});
const dimensions = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom(...dimensionNames),
      weight: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { selector: (each) => each.name, minLength: 1 },
  )
  .filter((all) => all.some(({ weight }) => weight > 0));
const scoring: fc.Arbitrary<ScoringContext> = fc.record({
  dimensions,
  now: fc.constant(now),
  expected: fc.uniqueArray(name).map((names) => new Set<string>(names)),
  constants: fc.constant(defaultConstants),
});

const all: ScoringContext["dimensions"] = dimensionNames.map((each) => ({ name: each, weight: 1 }));
const runs = isLongRun() ? { numRuns: 20_000 } : { numRuns: 500 };

/** The same node a while later: every time that is one moved. */
const fresher = (text: unknown, byMs: number): unknown =>
  typeof text === "string" && text.endsWith("Z") && !Number.isNaN(Date.parse(text))
    ? new Date(Date.parse(text) + byMs).toISOString()
    : text;

describe("scores", () => {
  it("are within [0, 1] with four decimals, and there for every dimension that is named", () => {
    fc.assert(
      fc.property(node, scoring, (each, how) => {
        const { final, dimensions: scores } = scoreNode(each, how);
        const named = new Set(how.dimensions.map((dimension) => dimension.name));
        for (const dimension of dimensionNames) {
          const score = scores[dimension];
          expect(score !== null).toBe(named.has(dimension));
          if (score !== null) expect(score >= 0 && score <= 1 && roundScore(score) === score).toBe(true);
        }
        expect(final !== null && final >= 0 && final <= 1 && roundScore(final) === final).toBe(true);
      }),
      runs,
    );
  });

  it("lie between the lowest and the highest of those that count", () => {
    fc.assert(
      fc.property(node, scoring, (each, how) => {
        const { final, dimensions: scores } = scoreNode(each, how);
        const counting = how.dimensions.flatMap(({ name: dimension, weight }) =>
          weight > 0 ? [scores[dimension] ?? NaN] : [],
        );
        expect(final ?? NaN).toBeGreaterThanOrEqual(Math.min(...counting) - 1e-9);
        expect(final ?? NaN).toBeLessThanOrEqual(Math.max(...counting) + 1e-9);
      }),
      runs,
    );
  });

  it("do not depend on the order of properties and dimensions", () => {
    fc.assert(
      fc.property(node, scoring, (each, how) => {
        const turned = { ...each, properties: each.properties.toReversed() };
        const scores = scoreNode(turned, { ...how, dimensions: how.dimensions.toReversed() });
        expect(scores).toEqual(scoreNode(each, how));
      }),
      runs,
    );
  });

  it("of freshness never fall when something is written later", () => {
    fc.assert(
      fc.property(node, fc.integer({ min: 0, max: 1e11 }), (each, byMs) => {
        const how = { dimensions: all, now, expected: new Set<string>(), constants: defaultConstants };
        const later: ScorableNode = {
          ...each,
          updateTime: fresher(each.updateTime, byMs),
          createTime: fresher(each.createTime, byMs),
          properties: each.properties.map((one) => ({ ...one, updateTime: fresher(one.updateTime, byMs) })),
        };
        const before = scoreNode(each, how).dimensions.FRESHNESS ?? NaN;
        expect(scoreNode(later, how).dimensions.FRESHNESS).toBeGreaterThanOrEqual(before);
      }),
      runs,
    );
  });

  it("of verification never rise as time passes", () => {
    fc.assert(
      fc.property(node, fc.integer({ min: 0, max: 1e11 }), (each, byMs) => {
        const past = {
          ...each,
          // What lies ahead becomes past as time passes, and counts then.
          properties: each.properties.filter(({ verifiedTime }) => !(Date.parse(String(verifiedTime)) > now)),
        };
        const how = { dimensions: all, now, expected: new Set<string>(), constants: defaultConstants };
        const before = scoreNode(past, how).dimensions.VERIFICATION ?? NaN;
        const after = scoreNode(past, { ...how, now: now + byMs }).dimensions.VERIFICATION;
        expect(after).toBeLessThanOrEqual(before);
      }),
      runs,
    );
  });

  it("follow from the stored fields in whatever order they come", () => {
    const fields = fc.dictionary(
      fc.constantFrom(
        "a",
        "a.update_time",
        "a.metadata.source",
        "b",
        "b.external_value",
        "update_time",
        "expiry",
      ),
      fc.oneof(fc.string(), time),
    );
    fc.assert(
      fc.property(fields, (stored) => {
        const turned = Object.fromEntries(Object.entries(stored).toReversed());
        const how = { dimensions: all, now, expected: new Set(["a", "b"]), constants: defaultConstants };
        expect(scoreNode(scorableNode(turned), how)).toEqual(scoreNode(scorableNode(stored), how));
      }),
      runs,
    );
  });
});

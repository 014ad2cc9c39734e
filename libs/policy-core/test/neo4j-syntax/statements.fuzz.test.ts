import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { printTree } from "../../src/cypher/printer.ts";
import { query } from "../trees/trees.ts";
import { tooDeep } from "../../src/cypher/depth.ts";
import { drawn } from "../oracle/generate/arbitrary.ts";
import { kbacGroup, queryGroup } from "../oracle/generate/cases.ts";
import { ciqJson, kbacJson, queryJson } from "../oracle/policy.ts";
import { isFuzzing, isLong, runs, seed } from "../runs.ts";
import { notRecorded, record } from "./every-statement.ts";
import { printedFor } from "../sample-policies/statements-of.ts";
import { readsWhole } from "./vendor-reading.ts";

/** Statements that are checked in the long run; a fuzzing run checks as many as it has cases. */
const count = 100;

/** In the long run; the checker's time grows faster than a text. */
const longest = isFuzzing() ? Infinity : 450;

/** Drawn anew in each run, so that none is known to be clean: too many for `npm test`. */
const notChecked = isLong() || isFuzzing() ? notRecorded : "npm run test:long and npm run fuzz check them";
const skipped = notChecked === undefined ? "" : ` (skipped: ${notChecked})`;

const kbac = drawn(kbacGroup).map(({ policies }) =>
  policies.map((policy) => ({ policy: JSON.stringify(kbacJson(policy)), queries: [] as readonly string[] })),
);
const ciq = drawn(queryGroup).map(({ queries }) =>
  queries.map((each) => ({
    policy: JSON.stringify(ciqJson(each)),
    queries: [JSON.stringify(queryJson(each))],
  })),
);

const cleanTests = (): void => {
  it.each([
    ["decisions and searches", kbac],
    ["reads", ciq],
  ] as const)(
    "of %s",
    (_name, groups) => {
      const wanted = Math.ceil(runs(count) / 2);
      let checked = 0;
      for (let draw = 0; checked < wanted && draw < 10 * wanted; draw += 1) {
        const [group] = fc.sample(groups, { numRuns: 1, seed: seed() + draw });
        for (const { policy, queries } of group ?? []) {
          // One of each policy: the others differ in what stands around the condition.
          const statement = printedFor(policy, queries).statements.at(checked % 2 === 0 ? 0 : -1);
          if (statement === undefined || checked >= wanted || statement.text.length > longest) continue;
          checked += 1;
          // Held against the checker after the tests.
          record(statement.text);
        }
      }
      expect(checked).toBe(wanted);
    },
    3_600_000,
  );
};

(notChecked === undefined ? describe : describe.skip)(
  `generated statements are clean for the vendor's checker, in both languages${skipped}`,
  cleanTests,
);

describe("generated statements", () => {
  it("of any tree are read whole by the vendor's parser", () => {
    fc.assert(
      fc.property(query, (tree) => {
        fc.pre(tooDeep(tree) === undefined);
        const text = `${printTree(tree)} RETURN 1 AS one`;
        expect({ text, whole: readsWhole(text) }).toEqual({ text, whole: true });
      }),
      { numRuns: runs(25, 4), seed: seed() },
    );
  }, 3_600_000);
});

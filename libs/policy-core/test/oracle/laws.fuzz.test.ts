import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import fc from "fast-check";
import { parse } from "../../src/cypher/parser.ts";
import { printTree } from "../../src/cypher/printer.ts";
import { openTestGraph } from "../graph.ts";
import { runs, seed, timeLimit } from "../runs.ts";
import { conditionText } from "./author.ts";
import { fuzz } from "./fuzz.ts";
import { drawn } from "./generate/arbitrary.ts";
import { kbacGroup, oneInput, smallGroup } from "./generate/cases.ts";
import { assertReport } from "./assert-report.ts";
import { decisionLaws } from "./law-decisions.ts";
import { queryLaws } from "./law-queries.ts";
import { scanGroup, scanLaws } from "./law-scans.ts";

let graph: Graph;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
});
afterAll(() => graph.close());

/** Policies of a group of the laws of decisions and reads. */
const { policies: perGroup } = smallGroup;

describe("laws", () => {
  it(
    "of decisions: row form, plain form, renamed aliases and the other version decide the same; searches find it",
    async () => {
      const options = { name: "laws of decisions", count: runs(60, 2), seed: seed(), perGroup };
      assertReport(await fuzz(graph, decisionLaws, options), 0.33);
    },
    timeLimit(300_000),
  );

  it(
    "of scans: from a page of subjects they find the pairs that one policy grants and another one does not",
    async () => {
      const options = {
        name: "laws of scans",
        count: runs(120, 2),
        seed: seed(),
        perGroup: scanGroup.policies,
      };
      assertReport(await fuzz(graph, scanLaws, options), 0.25);
    },
    timeLimit(300_000),
  );

  it(
    "of reads: joined pages are one big page, renamed aliases give the same rows, one filter more adds none",
    async () => {
      const options = { name: "laws of reads", count: runs(60, 2), seed: seed(), perGroup };
      assertReport(await fuzz(graph, queryLaws, options), 0.33);
    },
    timeLimit(300_000),
  );

  it(
    "of texts: what is printed reads as what was printed",
    () => {
      const groups = drawn((draw) => kbacGroup(draw, oneInput));
      const property = fc.property(groups, ({ policies }) => {
        for (const { clauses, style } of policies) {
          const first = parse(conditionText(clauses, style), { use: false, call: true });
          if (!first.ok) throw new Error(first.faults.map(({ message }) => message).join("; "));
          const printed = printTree(first.query);
          const second = parse(printed, { use: false, call: true });
          expect(second.ok && printTree(second.query)).toBe(printed);
        }
      });
      const numRuns = Math.ceil(runs(400, 48) / 8);
      fc.assert(property, { numRuns, seed: seed() });
    },
    timeLimit(60_000),
  );
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { compilePolicy } from "../../src/index.ts";
import { openTestGraph, options } from "../graph.ts";
import { printedFor } from "../sample-policies/statements-of.ts";
import { accepted, constructs } from "../rules/constructs.ts";
import { realForms } from "../rules/real-forms.ts";
import { policyOf } from "../rules/versions.ts";

let graph: Graph;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
});
afterAll(() => graph.close());

const plan = async (text: string): Promise<void> => {
  await graph.shared.read(`EXPLAIN ${text}`, {}, options);
};

describe("forms that real policies have", () => {
  it.each(realForms.map(({ form, policy, query }) => [form, policy, query] as const))(
    "%s: is accepted, and the database plans it",
    async (_form, policy, query) => {
      const queries = query === undefined ? [] : [JSON.stringify(query)];
      const { statements, faults } = printedFor(JSON.stringify(policy), queries);
      expect(faults).toEqual([]);
      expect(statements.length).toBeGreaterThan(0);
      for (const { text } of statements.filter(({ writes }) => !writes)) await plan(text);
    },
    60_000,
  );
});

describe("accepted constructs of the policy language", () => {
  it.each(
    constructs.flatMap(({ construct, cypher, outcomes }) =>
      outcomes["3.0-kbac"] === accepted ? [[construct, cypher] as const] : [],
    ),
  )(
    "%s: the database plans a decision",
    async (_construct, cypher) => {
      const policy = JSON.stringify(policyOf("3.0-kbac", { cypher }));
      expect(compilePolicy(policy).ok).toBe(true);
      const [decision] = printedFor(policy).statements;
      await plan(decision?.text ?? "");
    },
    60_000,
  );
});

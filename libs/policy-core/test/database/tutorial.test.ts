import { describe, expect, it } from "@jest/globals";
import { compileKbac, compilePolicy } from "../../src/index.ts";
import { blocksOf, jsonBlocks } from "../rules/page.ts";
import { decide, graph, here, type Question, usePageGraph } from "./page-decisions.ts";

const blocks = blocksOf("policies-tutorial.md");

usePageGraph(blocks);

const policies = new Map(
  blocks.filter(({ marks }) => marks[0] === "policy").map(({ marks, text }) => [marks[1], text]),
);

describe("the tutorial of policies", () => {
  it.each(
    jsonBlocks<readonly (Question & { readonly granted: boolean })[]>("decisions", blocks).flatMap(
      ({ block, content }) => content.map((question) => [block.marks[1] ?? "", question] as const),
    ),
  )("%s: %j", async (name, question) => {
    const checked = compileKbac(policies.get(name) ?? "");
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    const { subject, resource, input_params = {}, token = {}, request = {}, ...expected } = question;
    const call = { subject, resource, input_params, token, request };
    expect(await decide(graph, here, checked.value, call)).toEqual(expected);
  });

  it("shows decisions of every policy", () => {
    const decided = jsonBlocks("decisions", blocks).map(({ block }) => block.marks[1]);
    expect(policies.size).toBeGreaterThan(5);
    expect(new Set(decided)).toEqual(new Set(policies.keys()));
  });

  it.each(
    jsonBlocks<readonly { cypher: string; fault: string }[]>("mistakes", blocks).flatMap(({ content }) =>
      content.map(({ cypher, fault }) => [cypher, fault] as const),
    ),
  )("refuses %s", (cypher, fault) => {
    const policy = JSON.parse(policies.get("owner") ?? "{}") as object;
    const checked = compilePolicy(JSON.stringify({ ...policy, condition: { cypher } }));
    expect(checked.ok ? [] : checked.faults).toEqual([fault]);
  });
});

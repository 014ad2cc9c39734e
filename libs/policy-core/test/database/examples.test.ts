import { describe, expect, it } from "@jest/globals";
import { runStatements, type DecisionExplanation, explainDecision } from "../../src/explain/index.ts";
import { bindValues, compileKbac, compilePolicy, evaluateFilter, type KbacPolicy } from "../../src/index.ts";
import { searchStatement } from "../../src/statements/index.ts";
import { options } from "../graph.ts";
import { printedFor } from "../sample-policies/statements-of.ts";
import { execute, inputsOf, kbacOf, queryOf, shownRows, type ExampleCall } from "../rules/examples.ts";
import { blocks, jsonBlocks } from "../rules/page.ts";
import { isLong } from "../runs.ts";
import { decide, graph, here, type Question, rowOf, usePageGraph } from "./page-decisions.ts";
import { policyOf, versions } from "../rules/versions.ts";

usePageGraph(blocks);

const search = async (policy: KbacPolicy, question: Question): Promise<readonly unknown[]> => {
  const row = { ...rowOf(here, policy, question), after: "", limit: 100 };
  const rows = await graph.shared.read(searchStatement(policy, here, "resource"), { __row: row }, options);
  return rows.map(({ id }) => id);
};

describe("decisions on the page of the policy language", () => {
  it.each(
    jsonBlocks<readonly Question[]>("decisions").flatMap(({ block, content }) =>
      content.map((question) => [block.marks[1] ?? "", question] as const),
    ),
  )("%s: %j", async (name, question) => {
    const policy = kbacOf(name);
    const { subject, resource, input_params, token, request, ...expected } = question as Question & object;
    const call = { subject, resource, ...inputsFor({ input_params, token, request }) };
    const decision = await decide(graph, here, policy, call);
    expect(decision).toEqual(expected);
    if ("granted" in decision && policy.filter === undefined) {
      expect((await search(policy, call)).includes(resource)).toBe(decision.granted);
    }
  });
});

/** Without what an example leaves out. */
const inputsFor = (call: { readonly [K in keyof ExampleCall]: ExampleCall[K] | undefined }): ExampleCall =>
  Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined));

/** An explanation as the page shows it: with the outcomes of the API, and a part by its text. */
const shownExplanation = (explanation: DecisionExplanation): object => {
  switch (explanation.outcome) {
    case "matched":
      return { outcome: "granted" };
    case "ends_missing":
      return { outcome: "pattern_not_matched", missing: explanation.ends };
    case "identity_required":
      return { outcome: "pattern_not_matched", identity_required: true };
    case "pattern_not_matched":
      return { outcome: "pattern_not_matched", part: explanation.part.text };
    case "unknown":
      return { outcome: "unknown" };
  }
};

describe("explanations on the page", () => {
  it.each(
    jsonBlocks<readonly Question[]>("explained").flatMap(({ block, content }) =>
      content.map((question) => [block.marks[1] ?? "", question] as const),
    ),
  )("%s: %j", async (name, question) => {
    const policy = kbacOf(name);
    const explanation = await runStatements(explainDecision(policy, here), (text) =>
      graph.shared.read(text, { __row: rowOf(here, policy, question) }, options),
    );
    const { subject: _subject, resource: _resource, ...expected } = question as Question & object;
    expect(shownExplanation(explanation)).toEqual(expected);
  });
});

describe("filters on the page", () => {
  it.each(
    jsonBlocks<readonly (ExampleCall & { filter: object; passes: boolean })[]>("truths").flatMap(
      ({ content }) => content.map((each) => [each] as const),
    ),
  )("%j", ({ filter, passes, ...call }) => {
    const checked = compileKbac(
      JSON.stringify(policyOf("2.0-kbac", { cypher: "MATCH (subject), (resource)", filter })),
    );
    if (!checked.ok || checked.value.filter === undefined) throw new Error("the filter is refused");
    const { needs, filter: resolved } = checked.value;
    const { truth } = evaluateFilter(resolved.filter, bindValues(needs, inputsOf(call)));
    expect(truth === true).toBe(passes);
  });
});

describe("conditions on the page", () => {
  const conditions = blocks.filter(
    ({ language, marks }) => language === "cypher" && marks[0] === "condition",
  );

  it.each(
    conditions.flatMap(({ text, marks }) =>
      (marks.length > 1 ? versions.filter((version) => marks.includes(version)) : versions).map(
        (version) => [version, text] as const,
      ),
    ),
  )("%s takes, and the database plans: %s", async (version, cypher) => {
    const { statements, faults } = printedFor(JSON.stringify(policyOf(version, { cypher })));
    expect(faults).toEqual([]);
    // `npm test` plans one statement of each condition: version 3.0 accepts every one of them.
    const planned = isLong() ? statements : version === "3.0-kbac" ? statements.slice(0, 1) : [];
    for (const { text } of planned) await graph.shared.read(`EXPLAIN ${text}`, {}, options);
  });

  it("that name a version are refused by the others", () => {
    const named = conditions.filter(({ marks }) => marks.length > 1);
    expect(named.length).toBeGreaterThan(0);
    for (const { text: cypher, marks } of named) {
      for (const version of versions.filter((each) => !marks.includes(each)))
        expect(compilePolicy(JSON.stringify(policyOf(version, { cypher }))).ok).toBe(false);
    }
  });
});

describe("queries on the page", () => {
  // One after the other: a later one sees what an earlier one wrote.
  it("answer the rows that it shows", async () => {
    const shown = shownRows();
    expect(shown.length).toBeGreaterThan(3);
    for (const { query, line, call, data } of shown) {
      const found = await execute(graph, here, queryOf(query), inputsOf(call));
      expect({ line, data: found }).toEqual({ line, data });
    }
  });

  it("pass the token_filter of their policy", () => {
    for (const { query, call } of shownRows()) {
      const { policy } = queryOf(query);
      const filter = policy.tokenFilter;
      const values = bindValues(policy.needs, inputsOf(call));
      expect(filter === undefined || evaluateFilter(filter.filter, values).truth).toBe(true);
    }
  });
});

describe("the page", () => {
  it("has no marked block that nothing runs", () => {
    const run = new Set([
      "graph",
      "policy",
      "decisions",
      "explained",
      "truths",
      "condition",
      "query",
      "rows",
    ]);
    const odd = blocks.filter(
      ({ language, marks }) =>
        language !== "ebnf" && marks.some((mark, index) => index === 0 && !run.has(mark)),
    );
    expect(odd.map(({ line, marks }) => `${line}: ${marks.join(" ")}`)).toEqual([]);
  });

  it("shows only policies that are accepted", () => {
    const shown = blocks.filter(({ language, marks }) => language === "json" && marks[0] === "policy");
    expect(shown.length).toBeGreaterThan(2);
    for (const { text, line } of shown) {
      const checked = compilePolicy(text);
      expect({ line, faults: checked.ok ? [] : checked.faults }).toEqual({ line, faults: [] });
    }
  });
});

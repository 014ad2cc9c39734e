import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { bindRow } from "@ikg/policy-core";
import { compileQuery } from "@ikg/policy-core/queries";
import { openExplainer } from "../src/explain/explainer.ts";
import { type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import { policyOf } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";
import { useSecretCharts, pk, graph, cypher, policy, ids } from "./secret-charts.ts";

useSecretCharts();

describe("what an explanation costs", () => {
  it("ends with its time, then it says that it does not know, and with the caller", async () => {
    // Few patterns may be planned together.
    const charts = Array.from({ length: 30 }, (_, n) => `WITH * MATCH (x${n}:Chart)`).join(" ");
    const endless = `${cypher} ${charts} WITH subject, chart, count(*) AS n`;
    const { subject } = policy();
    const compiled = policyOf({
      subject,
      condition: { cypher: endless },
      allowed_reads: { nodes: ["chart.*"] },
    });
    const query = compileQuery(JSON.stringify(ids), compiled);
    if (!query.ok) throw new Error(query.faults.join("; "));
    const names = {
      id: "q",
      name: "query",
      version: 1,
      policyId: "p",
      policyName: "policy",
      policyVersion: 1,
    };
    const caller = new AbortController();
    const inquiry = (limitMs: number) =>
      openExplainer({
        database: graph.shared,
        stored: { ...names, policy: compiled, query, displayName: undefined, description: undefined },
        query: query.value,
        pk,
        row: { s: `${pk}/Nurse/n1`, ...bindRow(query.value.needs, { inputParams: {} }) },
        options: { timeoutMs: 60_000, signal: caller.signal },
        limitMs,
        deadline: Infinity,
      });
    const started = performance.now();
    const explanation = await inquiry(600).explanation();
    expect(performance.now() - started).toBeLessThan(5_000);
    // Where no row was seen in time nothing is certain.
    expect(explanation.outcome === "unknown" || explanation.part?.certain === false).toBe(true);
    expect(explanation).not.toHaveProperty("rows");
    const known = inquiry(600);
    await known.countWork(() => Promise.resolve({ count: 1 }));
    expect(await known.explanation()).toMatchObject({
      outcome: "rows",
      statements: 1,
      statement: { rows: 1 },
    });
    const leaving = inquiry(60_000).explanation();
    setTimeout(() => caller.abort(new Error("left")), 300);
    await expect(leaving).rejects.toThrow("left");
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("who may ask why", () => {
  let ciq: CiqProcess;
  let stored: StoredProject;
  beforeAll(async () => {
    stored = await storeProject(graph);
    const own = {
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application)" },
      allowed_reads: { nodes: ["subject.external_id"] },
    };
    await stored.query("own", await stored.policy(own), { nodes: ["subject.external_id"] });
    ciq = await startCiqProcess();
  });
  afterAll(async () => {
    await ciq.end();
    await stored.remove();
  });

  it("is an agent with ReadAuthZConfigs; other callers get no answer instead", async () => {
    const headers = { "X-Explain": "true" };
    const response = await ciq.execute(stored, { id: "own" }, { headers });
    expect([response.status, response.body["data"]]).toEqual([200, []]);
    expect(response.body["explanation"]).toMatchObject({
      query: { name: "own", version: 1 },
      outcome: "pattern_not_matched",
      missing: ["subject"],
    });
    const refused = await ciq.execute(stored, { id: "own" }, { headers, permissions: ["ContXIQ"] });
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: "permission missing: ReadAuthZConfigs" },
    ]);
    const withoutExplanation = await ciq.execute(stored, { id: "own" }, { permissions: ["ContXIQ"] });
    expect([withoutExplanation.status, withoutExplanation.body]).toEqual([200, { data: [] }]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type FaultyProxy, openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { policyErrors } from "../../src/configuration/validate-text.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { tryEvaluate } from "../../src/requests/evaluate.ts";
import { must } from "../../src/requests/must.ts";
import type { Answer } from "../../src/requests/send.ts";

/** Check 15: locations, in a project that has two databases, and in one that has none. */
let composite: Tenant;
let plain: Tenant;
let proxy: FaultyProxy;
const answers: Answer[] = [];

const policyOf = (action: string, use: string) => ({
  policy: {
    meta: { policy_version: "3.0-kbac" },
    subject: { type: "Nurse" },
    actions: [action],
    resource: { type: "Chart" },
    condition: { cypher: `USE graph.byName(${use}) MATCH (subject:Nurse)-[:READS]->(resource:Chart)` },
  },
});

/** Both names lead to one server here; which data lies where is shown in the tests of capture and access. */
const connectionBy = (urlOfSouth: string) => {
  const account = {
    username: requireVariable("SECOND_NEO4J_USERNAME"),
    password: requireVariable("SECOND_NEO4J_PASSWORD"),
  };
  return {
    url: requireVariable("SECOND_NEO4J_URI"),
    ...account,
    composite_db_name: "hospital",
    alias_mapping: "global=db1&south=db2",
    constituents: { db2: { url: urlOfSouth, ...account } },
  };
};

beforeAll(async () => {
  const second = new URL(requireVariable("SECOND_NEO4J_URI"));
  proxy = await openFaultyProxy({ host: second.hostname, port: Number(second.port) });
  const db_connection = connectionBy(`bolt://127.0.0.1:${proxy.port}`);
  composite = await createTenant("ciq-locations", { db_connection });
  const { projects } = openAdmin();
  // A project of another test gives the server back in the background.
  await eventually(
    async () => {
      const { ikg_status } = await projects.get(composite.projectId);
      if (ikg_status !== "ACTIVE") await projects.update(composite.projectId, () => ({ db_connection }));
      return ikg_status;
    },
    (status) => status === "ACTIVE",
    { withinMs: 60_000, everyMs: 1_000 },
  );
  plain = await createTenant("ciq-no-locations");
  for (const tenant of [composite, plain]) {
    await capture(
      {
        nodes: [
          { type: "Nurse", external_id: "ann" },
          ...["c1", "c2"].map((external_id) => ({ type: "Chart", external_id })),
        ],
        relationships: [
          {
            source: { type: "Nurse", external_id: "ann" },
            target: { type: "Chart", external_id: "c1" },
            type: "READS",
          },
        ],
      },
      tenant,
    );
    await savePolicy(tenant.projectId, policyOf("STATIC", "'hospital.db2'"));
    await savePolicy(tenant.projectId, policyOf("STRANGE", "'hospital.db9'"));
    await savePolicy(tenant.projectId, policyOf("DYNAMIC", "$loc"));
  }
}, 180_000);
afterAll(async () => {
  // What is removed in the background must reach the server when the proxy is closed, or no other project could claim it.
  await openAdmin().projects.update(composite.projectId, () => ({
    db_connection: connectionBy(requireVariable("SECOND_NEO4J_URI")),
  }));
  for (const tenant of [composite, plain]) await tenant?.remove();
  await proxy?.close();
});

const question = (name: string, input_params: object = {}, id = "c1") => ({
  subject: { type: "Nurse", id: "ann" },
  action: { name },
  resource: { type: "Chart", id },
  context: { input_params },
});
const ask = async (...args: Parameters<typeof question>): Promise<readonly unknown[]> => {
  const answer = await tryEvaluate(question(...args), composite);
  answers.push(answer);
  const body = answer.body as { decision?: boolean; errors?: readonly string[] };
  return [answer.status, body.decision ?? body.errors];
};

describe("15: locations", () => {
  it("are fixed by the text", async () => {
    expect(await ask("STATIC")).toEqual([200, true]);
    expect(await ask("STATIC", {}, "c2")).toEqual([200, false]);
    expect(await ask("STRANGE")).toEqual([422, ["the policy names an unknown location"]]);
  });

  it("are given by a parameter", async () => {
    for (const loc of ["south", "global"]) {
      expect(await ask("DYNAMIC", { loc })).toEqual([200, true]);
      expect(await ask("DYNAMIC", { loc }, "c2")).toEqual([200, false]);
    }
  });

  it("are known, or else 422", async () => {
    for (const loc of ["mars", "South", "db2", "hospital.db2"])
      expect(await ask("DYNAMIC", { loc })).toEqual([
        422,
        [`unknown location "${loc}" for parameter "$loc"`],
      ]);
  });

  it("are given at all, as texts, or else 422", async () => {
    for (const params of [{}, { loc: "" }, { loc: 7 }, { loc: null }, { loc: ["south"] }])
      expect(await ask("DYNAMIC", params)).toEqual([
        422,
        ['location parameter "$loc" must be a non-empty string'],
      ]);
  });

  it("need a project that has several databases", async () => {
    for (const action of ["STATIC", "DYNAMIC"]) {
      const answer = await tryEvaluate(question(action, { loc: "south" }), plain);
      answers.push(answer);
      expect([answer.status, answer.body]).toMatchObject([
        422,
        { errors: ["policy requires a composite database, but the project has none configured"] },
      ]);
    }
  });

  it("are each entry's own in a batch", async () => {
    const entries = [
      question("DYNAMIC", { loc: "south" }),
      question("DYNAMIC", { loc: "mars" }),
      question("DYNAMIC", {}),
      question("STATIC"),
    ];
    const answer = await withKey("/access/v1/evaluations", composite, { json: { evaluations: entries } });
    answers.push(answer);
    const { evaluations } = must<{ evaluations: unknown[] }>(answer, 200);
    expect(evaluations).toMatchObject([
      { decision: true },
      { decision: false, context: { reason: expect.stringContaining('unknown location "mars"') } },
      { decision: false, context: { reason: expect.stringContaining("must be a non-empty string") } },
      { decision: true },
    ]);
  });

  it("are one parameter or one text, and nothing for queries", async () => {
    for (const use of ["coalesce($loc, 'x')", "'a' + 'b'", "$order.loc", "$subject_type"]) {
      const { policy } = policyOf("ANY", use);
      expect([use, await policyErrors(composite.projectId, policy)]).not.toEqual([use, []]);
    }
    const ciq = {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Nurse" },
      condition: { cypher: "USE graph.byName('hospital.db2') MATCH (subject:Nurse)" },
    };
    expect((await policyErrors(composite.projectId, ciq)).join("\n")).toContain("USE clause is not allowed");
  });

  it("never leave by their physical names", () => {
    expect(answers.length).toBeGreaterThan(15);
    for (const { text, sent } of answers)
      for (const name of ["hospital", "db1", "db2", "db9"])
        if (!sent.includes(name)) expect(text).not.toContain(name);
  });
});

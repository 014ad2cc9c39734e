import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { ResultRow, SimulatedQuery } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { storePolicy } from "../../src/configuration/save-policy.ts";
import { storeQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { execute } from "../../src/requests/execute.ts";
import { takeEffect } from "../../src/take-effect.ts";
import { createTokenIssuer, type TokenIssuer } from "../../src/tokens/token-issuer.ts";

let tenant: Tenant;
let issuer: TokenIssuer;
let policyId: string;

const loans = 12;
const ref = (type: string, external_id: string) => ({ type, external_id });
const graph = () => ({
  nodes: [
    ...["ann", "bob"].map((id) => ref("Person", id)),
    ...Array.from({ length: loans }, (_, n) => ({
      ...ref("Loan", `l${n}`),
      properties: [{ type: "amount", value: n * 100 }],
    })),
  ],
  relationships: Array.from({ length: loans }, (_, n) => ({
    source: ref("Person", n % 3 === 0 ? "bob" : "ann"),
    target: ref("Loan", `l${n}`),
    type: "OWES",
  })),
});

const policyOf = (where: string) => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Person" },
  condition: { cypher: `MATCH (subject:Person)-[:OWES]->(loan:Loan)${where}` },
  allowed_reads: { nodes: ["loan", "loan.*", "loan.external_id"] },
  allowed_upserts: { nodes: { existing_nodes: ["loan"] } },
});
const queries = {
  whole: { nodes: ["loan", "loan.*"] },
  raise: {
    nodes: ["loan.external_id"],
    upsert_nodes: [{ name: "loan", properties: [{ type: "amount", value: "$amount" }] }],
  },
};

beforeAll(async () => {
  tenant = await createTenant("simulated-queries");
  issuer = await createTokenIssuer(tenant.projectId);
  await capture(graph(), tenant);
  policyId = await storePolicy(tenant.projectId, { name: "loans", policy: policyOf("") });
  for (const [name, query] of Object.entries(queries))
    await storeQuery(tenant.projectId, { name, policyId, query });
  await takeEffect();
}, 120_000);
afterAll(() => tenant?.remove());

const rowsOf = async (person: string): Promise<readonly ResultRow[]> =>
  execute({ id: "whole", page_size: 100 }, { key: tenant.key, bearer: await issuer.sign(person) });

const narrower = policyOf(" WHERE loan.property.amount > $limit AND loan.property.amount < 1000");

const simulated = async (person: string): Promise<readonly SimulatedQuery[]> => {
  const as = { token: { sub: person } };
  const record = { policy: narrower, status: "ACTIVE" } as const;
  const { queries = [] } = await openAdmin(tenant.projectId).simulations.simulate({
    changes: [{ op: "put", collection: "authorization-policies", name: "loans", record }],
    queries: [
      { name: "whole", as, input_params: { limit: 200 }, values: true },
      { name: "whole", as },
      { name: "raise", as, input_params: { limit: 200, amount: 5 } },
    ],
    examples: 100,
  });
  return queries;
};

const texts = (rows: readonly (ResultRow | undefined)[]): readonly string[] =>
  rows
    .map((row) => JSON.stringify(Object.entries(row?.nodes ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted();

it("a simulated query answers the rows that its execution answers before and after the change", async () => {
  const before = new Map<string, readonly ResultRow[]>();
  const found = new Map<string, readonly SimulatedQuery[]>();
  for (const person of ["ann", "bob"]) {
    before.set(person, await rowsOf(person));
    found.set(person, await simulated(person));
  }
  const { policies } = openAdmin();
  await policies.update(policyId, () => ({ policy: narrower, status: "ACTIVE" }));
  for (const person of ["ann", "bob"]) {
    const [whole, without, raise] = found.get(person) ?? [];
    const by = { key: tenant.key, bearer: await issuer.sign(person) };
    const old = texts(before.get(person) ?? []);
    const after = await eventually(
      () => execute({ id: "whole", input_params: { limit: 200 }, page_size: 100 }, by),
      (rows) => rows.length < old.length,
    );
    const left = texts(after);
    expect([whole?.complete, whole?.rows_before, whole?.rows_after]).toEqual([true, old.length, left.length]);
    expect(texts(whole?.only_before?.examples.map(({ row }) => row) ?? [])).toEqual(
      old.filter((each) => !left.includes(each)),
    );
    expect(whole?.only_after).toEqual({ count: 0, examples: [] });
    expect(without).toMatchObject({
      rows_before: old.length,
      rows_after: 0,
      refused_after: { code: "input_param_missing" },
    });
    expect(raise).toMatchObject({ writes: true, rows_before: old.length, rows_after: left.length });
  }
});

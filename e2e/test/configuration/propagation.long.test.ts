import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { createCredential } from "../../src/configuration/create-credential.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant } from "../../src/configuration/tenant.ts";
import {
  tenant,
  books,
  reader,
  book,
  question,
  kbac,
  path,
  save,
  found,
  useLibraryTown,
} from "../../src/fixtures/library-town.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { configs } from "../../src/requests/configs.ts";
import { evaluate, tryEvaluate } from "../../src/requests/evaluate.ts";
import { tryExecute } from "../../src/requests/execute.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { createTokenIssuer } from "../../src/tokens/token-issuer.ts";

useLibraryTown();

describe("changes take effect within 2 s", () => {
  const decide =
    (action: string, by: { key: string; bearer?: string } = tenant) =>
    async () =>
      (await tryEvaluate(question("ida", action, "book-0"), by)).body;

  it("a new policy grants, a deleted one no longer", async () => {
    expect(await decide("LATER")()).toEqual({ decision: false });
    const id = await save(kbac("LATER", path));
    await eventually(decide("LATER"), (body) => JSON.stringify(body) === '{"decision":true}');
    await openAdmin().policies.delete(id);
    await eventually(decide("LATER"), (body) => JSON.stringify(body) === '{"decision":false}');
  });

  it("a new query runs, a deleted one is gone, and its policy is in use as long", async () => {
    const reads = { nodes: ["b.external_id"] };
    const policyId = await save({
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (b:Book)" },
      allowed_reads: reads,
    });
    requireRefusal(await tryExecute({ id: "later" }, tenant), 404);
    const id = await saveQuery(tenant.projectId, { policyId, name: "later", query: reads });
    const run = async () => (await tryExecute({ id: "later" }, tenant)).status;
    await eventually(run, (status) => status === 200);
    requireRefusal(await configs(`/authorization-policies/${policyId}`, { method: "DELETE" }), 409);
    await openAdmin().queries.delete(id);
    await eventually(run, (status) => status === 404);
    await openAdmin().policies.delete(policyId);
  });

  it("a new issuer is trusted, a deleted one no longer", async () => {
    const other = await createTokenIssuer(tenant.projectId);
    const by = { key: tenant.key, bearer: await other.sign("ida") };
    const ask = async () => (await tryEvaluate(question("ida", "READ", "book-0"), by)).status;
    await eventually(ask, (status) => status === 200);
    await openAdmin().introspects.delete(other.introspectId);
    await eventually(ask, (status) => status === 401);
  });

  it("a revoked key is refused, the agent's other key is not", async () => {
    const { id, key } = await createCredential(tenant.agentId);
    const ask = async () => (await tryEvaluate(question("ida", "READ", "book-0"), { key })).status;
    expect(await ask()).toBe(200);
    await openAdmin().agentCredentials.delete(id);
    await eventually(ask, (status) => status === 401);
    expect((await tryEvaluate(question("ida", "READ", "book-0"), tenant)).status).toBe(200);
  });

  it("a deleted project takes its keys, its data and its records along", async () => {
    const gone = await createTenant("short");
    await capture({ nodes: [reader("ida")], relationships: [] }, gone);
    await gone.remove();
    await eventually(
      async () => (await tryEvaluate(question("ida", "READ", "book-0"), gone)).status,
      (status) => status === 401,
    );
    for (const collection of ["applications", "authorization-policies", "application-agent-credentials"])
      requireRefusal(await configs(`/${collection}?project_id=${gone.projectId}`), 404);
    for (const [collection, id] of [
      ["projects", gone.projectId],
      ["applications", gone.applicationId],
      ["application-agents", gone.agentId],
    ])
      requireRefusal(await configs(`/${collection}/${id}`), 404);
  });

  it("captured data at once", async () => {
    await save(kbac("FRESH", "MATCH (subject:Reader)-[:HOLDS]->(resource:Book)"));
    for (const { id } of books) {
      const request = question("kim", "FRESH", id);
      expect((await evaluate(request, tenant)).decision).toBe(false);
      await capture(
        { nodes: [], relationships: [{ source: reader("kim"), target: book(id), type: "HOLDS" }] },
        tenant,
      );
      expect((await evaluate(request, tenant)).decision).toBe(true);
      expect(await found("kim", "FRESH", {})).toContain(id);
    }
  });
});

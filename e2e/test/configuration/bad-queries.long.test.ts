import { describe, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { trySaveQuery } from "../../src/configuration/save-query.ts";
import { createTenant } from "../../src/configuration/tenant.ts";
import {
  tenant,
  policyId,
  kbac,
  ciq,
  reading,
  deciding,
  requireUnchanged,
  leaf,
  useStoredPolicy,
} from "../../src/fixtures/stored-policy.ts";
import { configs } from "../../src/requests/configs.ts";
import { hostileTexts } from "../../src/requests/hostile-texts.ts";
import { requireRefusal, requireSound } from "../../src/requests/refusal.ts";

useStoredPolicy();

describe("queries", () => {
  const bad: readonly (readonly [string, unknown])[] = [
    ["no JSON", "["],
    ["null", "null"],
    ["nothing", {}],
    ["empty lists", { nodes: [], relationships: [] }],
    ["an unknown key", { nodes: ["thing.external_id"], cypher: "MATCH (n)" }],
    ["an unknown alias", { nodes: ["other.external_id"] }],
    ["a path that the policy does not allow", { nodes: ["thing.property.secret"] }],
    ["the whole node", { nodes: ["thing"] }],
    ["a wildcard", { nodes: ["thing.*"] }],
    ["metadata", { nodes: ["thing.property.name.metadata.source"] }],
    ["the subject", { nodes: ["subject.external_id"] }],
    ["a physical name", { nodes: ["thing._key"] }],
    ["a quoted path", { nodes: ["thing.`external_id`"] }],
    ["a path with an end of its own", { nodes: ["thing.external_id} RETURN n //"] }],
    ["a path that is a number", { nodes: [1] }],
    ["a relationship that is none", { nodes: ["thing.external_id"], relationships: ["r"] }],
    ["an aggregate that is none", { aggregate_values: ["total"] }],
    [
      "a filter by what it may not read",
      { nodes: ["thing.external_id"], filter: leaf("thing.property.secret", "=", 1) },
    ],
    [
      "a filter by a value it may not read",
      { nodes: ["thing.external_id"], filter: leaf("thing.property.name", "IN", "@subject.property.x") },
    ],
    ["upserts", { upsert_nodes: [{ name: "x", type: "Thing", external_id: "x" }] }],
    [
      "upserts of relationships",
      { upsert_relationships: [{ name: "r", source: "subject", target: "thing", type: "HAS" }] },
    ],
    ["deletes", { nodes: ["thing.external_id"], delete_nodes: ["thing"] }],
    ["deletes of relationships", { delete_relationships: ["r"] }],
    ["batch_read as text", { nodes: ["thing.external_id"], batch_read: "yes" }],
    ["nodes as text", { nodes: "thing.external_id" }],
    ...hostileTexts.map((text) => [`the path ${JSON.stringify(text)}`, { nodes: [text] }] as const),
  ];
  it("what its policy does not allow, or is unknown, is refused", async () => {
    await inParallel(bad, async ([name, query]) => {
      const text = typeof query === "string" ? query : JSON.stringify(query);
      const errors = requireRefusal(await trySaveQuery(tenant.projectId, { policyId, query: text }), 422);
      if (!errors.every((error) => error.startsWith("query"))) throw new Error(`${name}: ${errors.join()}`);
    });
  });

  it("a policy that is none for it is refused", async () => {
    const query = { nodes: ["thing.external_id"] };
    const other = await savePolicy(tenant.projectId, { policy: kbac(deciding), status: "INACTIVE" });
    const draft = await savePolicy(tenant.projectId, { policy: "x", status: "DRAFT" });
    const stranger = await createTenant("stranger");
    const foreign = await savePolicy(stranger.projectId, { policy: ciq(reading) });
    const save = (id: string) => trySaveQuery(tenant.projectId, { policyId: id, query });
    requireRefusal(await save(other), 422);
    requireRefusal(await save(draft), 422);
    requireRefusal(await save(foreign), 422);
    requireRefusal(await save("x"), 422);
    requireRefusal(await save(tenant.projectId), 422);
    requireRefusal(await save(`${policyId.slice(0, -2)}AA`), 404);
    for (const id of [other, draft])
      requireSound(await configs(`/authorization-policies/${id}`, { method: "DELETE" }));
    await stranger.remove();
  });

  it("nothing of all this is kept", requireUnchanged);
});

import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { freshName } from "./tenant.ts";
import { ciqText, kbacText } from "./policy-texts.ts";
import {
  configs,
  makePolicy,
  ours,
  policy,
  query,
  refuseQuery,
  tenant,
  usePolicies,
  writingText,
} from "./policies-under-test.ts";

usePolicies();

const unplannableTexts: readonly (readonly [name: string, cypher: string])[] = [
  [
    "a rule of the database that the language does not have",
    "MATCH (subject:Person)-[:OWNS]->(x) WITH subject, x.property.a + count(x) AS n MATCH (resource:Car) WHERE n > 1",
  ],
  [
    "a plan that the database finds wrong",
    "MATCH (subject) WHERE 3 < 2 CALL { MATCH (resource) RETURN resource }",
  ],
];

describe("authorization policies", () => {
  const cases = isLongRun() ? unplannableTexts : unplannableTexts.slice(0, 1);
  it.each(cases)("are refused when the database cannot plan them: %s", async (_name, cypher) => {
    const version = { policy_version: "3.0-kbac" };
    const text = JSON.stringify({
      ...(JSON.parse(kbacText()) as object),
      meta: version,
      condition: { cypher },
    });
    const answer = await tenant.send("POST", "/authorization-policies", policy({ policy: text }));
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual(["policy.condition.cypher: the database cannot plan this pattern"]);
  });

  const statuses = isLongRun() ? ["ACTIVE", "INACTIVE"] : ["ACTIVE"];
  it.each(statuses)("are judged when they are saved as %s", async (status) => {
    for (const text of [
      writingText,
      "{}",
      "not json",
      "[]",
      kbacText().replace("2.0-kbac", "9.0-kbac"),
      `{"__proto__":1}`,
    ]) {
      const answer = await tenant.send("POST", "/authorization-policies", policy({ status, policy: text }));
      expect([text, answer.status]).toEqual([text, 422]);
      expect(answer.body.errors?.length).toBeGreaterThan(0);
      for (const error of answer.body.errors ?? []) expect(error).toMatch(/^policy[.:]/);
    }
  });
});

describe("knowledge queries", () => {
  it("are judged against their policy", async () => {
    const secret = JSON.stringify({ nodes: ["car.property.secret", "boat.external_id"] });
    const answer = await tenant.send("POST", "/knowledge-queries", query({ query: secret }));
    expect(answer.status).toBe(422);
    for (const error of answer.body.errors ?? []) expect(error).toMatch(/^query/);
    const draft = await tenant.make("/knowledge-queries", query({ query: secret, status: "DRAFT" }));
    expect(draft.body).toMatchObject({ query: secret, status: "DRAFT" });
  });

  it("want a CIQ policy of the same project", async () => {
    const other = await makePolicy(tenant, await tenant.project(), ciqText());
    const stranger = await configs.tenant();
    const foreign = await makePolicy(stranger, await stranger.project(), ciqText());
    await refuseQuery(query({ policy_id: ours.kbac.id }), 422, ["policy_id: CIQ policy expected"]);
    await refuseQuery(query({ policy_id: other.id }), 422, [
      "policy_id: policy of the same project expected",
    ]);
    await refuseQuery(query({ policy_id: foreign.id }), 404, ["policy_id: not found"]);
    await refuseQuery(query({ policy_id: newGid("authorization_policy") }), 404, ["policy_id: not found"]);
    await refuseQuery(query({ policy_id: ours.project.id }), 422, [
      "policy_id: gid of a record of kind authorization policy expected",
    ]);
  });

  it("keep their policy from being removed", async () => {
    const ciq = await tenant.make("/authorization-policies", policy({ policy: ciqText() }));
    const made = await tenant.make("/knowledge-queries", query({ policy_id: ciq.id }));
    const blocked = await tenant.send("DELETE", `/authorization-policies/${ciq.id}`);
    expect([blocked.status, blocked.body]).toEqual([
      409,
      { message: "Conflict", errors: [`id: used by knowledge query ${made.name}`] },
    ]);
    expect((await tenant.send("DELETE", `/knowledge-queries/${made.id}`)).status).toBe(200);
    expect((await tenant.send("DELETE", `/authorization-policies/${ciq.id}`)).status).toBe(200);
  });
});

describe("token introspects", () => {
  it("are one for each issuer and audience of a project", async () => {
    const { project, introspect } = ours;
    const { jwt_matcher } = introspect.body;
    const body = { project_id: project.id, name: freshName(), jwt_matcher, ikg_node_type: "Person" };
    const answer = await tenant.send("POST", "/token-introspects", body);
    expect([answer.status, answer.body.errors]).toEqual([
      409,
      ["jwt_matcher: the project has a configuration for this issuer and audience"],
    ]);
    const other = await tenant.project();
    const made = await tenant.make("/token-introspects", { ...body, project_id: other.id });
    expect(made.body).toEqual({
      ...made.body,
      jwt_matcher,
      claims_mapping: {},
      perform_upsert: false,
      ikg_node_type: "Person",
    });
    expect(made.body).not.toHaveProperty("offline_validation");
    expect(made.body).not.toHaveProperty("sub_claim");
    const fresh = {
      ...body,
      name: freshName(),
      jwt_matcher: { issuer: "https://new.example", audience: "a" },
      project_id: other.id,
    };
    const answers = await Promise.all(
      ["one", "two", "three"].map((name) => tenant.send("POST", "/token-introspects", { ...fresh, name })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });
});

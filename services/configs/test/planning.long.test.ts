import { afterEach, describe, expect, it } from "@jest/globals";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName } from "./tenant.ts";
import { ciqText, kbacText, queryText } from "./policy-texts.ts";
import { populate } from "./populate.ts";

let configs: ConfigsUnderTest | undefined;
afterEach(async () => {
  await configs?.close();
  configs = undefined;
});

/** A text that no other test has the database plan. */
const freshText = (): string => kbacText().replaceAll("OWNS", `R${freshName().replace(/\W/g, "")}`);

describe("a policy or query that the database plans for too long", () => {
  it("is refused by the name of the limit, saved or validated, and drafts are not planned", async () => {
    configs = await startConfigs({ PLANNING_MS: "1" });
    const tenant = await configs.tenant();
    const project = await tenant.project();
    const body = (more: object = {}) => ({
      project_id: project.id,
      name: freshName(),
      status: "ACTIVE",
      policy: freshText(),
      ...more,
    });
    const errors = [
      "policy.condition.cypher: the database cannot plan this pattern within 1 ms (limit PLANNING_MS); write a smaller pattern",
    ];
    for (const path of ["/authorization-policies", "/authorization-policies/validate"]) {
      const answer = await tenant.send("POST", path, body());
      expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    }
    const draft = await tenant.make("/authorization-policies", body({ status: "DRAFT" }));
    const saved = await tenant.send("PUT", `/authorization-policies/${draft.id}`, body({ name: draft.name }));
    expect([saved.status, saved.body.errors]).toEqual([422, errors]);
    const listed = await tenant.send("GET", `/authorization-policies?project_id=${project.id}`);
    expect(listed.text).not.toContain('"status":"ACTIVE"');
  });
});

describe("many policies and queries at once", () => {
  it("take turns, and each is planned", async () => {
    configs = await startConfigs({ PLANNING_PER_ORGANIZATION: "1", PLANNING_TOTAL: "1" });
    const tenant = await configs.tenant();
    const { project, ciq } = await populate(tenant);
    const send = (index: number) =>
      index % 2 === 0
        ? tenant.send("POST", "/authorization-policies/validate", {
            project_id: project.id,
            name: freshName(),
            status: "ACTIVE",
            policy: index % 4 === 0 ? freshText() : ciqText(),
          })
        : tenant.send("POST", "/knowledge-queries/validate", {
            project_id: project.id,
            name: freshName(),
            status: "ACTIVE",
            policy_id: ciq.id,
            query: queryText(),
          });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => send(index)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it("of one organization are refused with 429 where more wait than may, and others are answered", async () => {
    configs = await startConfigs({ PLANNING_PER_ORGANIZATION: "1", PLANNING_TOTAL: "2" });
    const [busy, light] = [await configs.tenant(), await configs.tenant()];
    const validate = async (tenant: typeof busy, projectId: string) =>
      tenant.send("POST", "/authorization-policies/validate", {
        project_id: projectId,
        name: freshName(),
        status: "ACTIVE",
        policy: freshText(),
      });
    const [theirs, ours] = [await busy.project(), await light.project()];
    const storm = Array.from({ length: 130 }, () => validate(busy, theirs.id));
    const answer = await validate(light, ours.id);
    expect(answer.status).toBe(200);
    const answers = await Promise.all(storm);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect(headers.get("retry-after")).toBe("5");
      expect(body.errors?.[0]).toMatch(/^PLANNING_PER_ORGANIZATION: /);
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  }, 60_000);
});

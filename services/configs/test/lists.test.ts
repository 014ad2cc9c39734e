import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let project: Made;
const draftBytes = 400_000;

const draft = (into: Made) => ({
  project_id: into.id,
  name: freshName(),
  status: "DRAFT",
  policy: "x".repeat(draftBytes),
});
const list = (query: string) => tenant.send("GET", `/authorization-policies?${query}`);

beforeAll(async () => {
  configs = await startConfigs({ LIST_BYTES: "1500000", LIST_MEMORY_BYTES: "3000000" });
  tenant = await configs.tenant();
  project = await tenant.project();
  for (let count = 0; count < 3; count++) await tenant.make("/authorization-policies", draft(project));
});
afterAll(() => configs?.close());

describe("a list with the texts of records", () => {
  it("is answered whole up to the limit, and is 422 beyond, with a way to go on", async () => {
    const full = await list(`project_id=${project.id}&full_fetch=true`);
    expect(full.status).toBe(200);
    const policies = (full.body["data"] as { policy: string }[]).map(({ policy }) => policy.length);
    expect(policies).toEqual([draftBytes, draftBytes, draftBytes]);
    const other = await tenant.project();
    for (let count = 0; count < 2; count++) await tenant.make("/authorization-policies", draft(other));
    const all = await list("full_fetch=true");
    expect([all.status, all.body.errors]).toEqual([
      422,
      [
        "list: more than 1500000 bytes (limit LIST_BYTES); name one project_id, narrow it by search, or leave full_fetch out and read single records",
      ],
    ]);
    expect((await list(`project_id=${other.id}&full_fetch=true`)).status).toBe(200);
    expect(((await list("")).body["data"] as unknown[]).length).toBe(5);
  });

  it("waits for the lists of its organization, and holds no memory once it was sent", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => list(`project_id=${project.id}&full_fetch=true`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await list(`project_id=${project.id}&full_fetch=true`)).status).toBe(200);
  });
});

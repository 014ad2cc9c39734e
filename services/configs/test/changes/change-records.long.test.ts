import { describe, expect, it } from "@jest/globals";
import { ciqText, queryText } from "../policy-texts.ts";
import { freshName } from "../tenant.ts";
import { changesOf, putPolicy } from "./changes-under-test.ts";
import { list, type Page, policyBody, project, tenant, useProject } from "./project-under-test.ts";

useProject();

const one = async (id: string) => {
  const answer = await tenant.send("GET", `/changes/${id}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as unknown as {
    readonly changes: readonly { readonly before?: object; readonly after?: object }[];
  };
};

describe("change records", () => {
  it("have the texts before and after, also of records that are gone", async () => {
    const ciq = await tenant.make("/authorization-policies", { ...policyBody("lending"), policy: ciqText() });
    const query = await tenant.make("/knowledge-queries", {
      project_id: project,
      name: "loans",
      status: "ACTIVE",
      policy_id: ciq.id,
      query: queryText(),
      description: "What is lent",
    });
    await tenant.send("DELETE", `/knowledge-queries/${query.id}`);
    const [deletion] = (await list()).items;
    const after = { query: queryText(), status: "ACTIVE", policy: "lending", description: "What is lent" };
    const read = await one(deletion?.id ?? "");
    expect(read.changes).toEqual([expect.objectContaining({ id: query.id, op: "delete", before: after })]);
    expect(read.changes[0]).not.toHaveProperty("after");
  });

  it("give way to newer ones beyond the limit of their project", async () => {
    const limited = await tenant.make("/projects", {
      organization_id: tenant.organization,
      name: freshName(),
      limits: { change_bytes: 3_000 },
    });
    const own = changesOf(tenant, limited.id);
    for (let turn = 0; turn < 8; turn++)
      await own.apply([putPolicy("one", {}, { description: `turn ${turn}` })]);
    const answer = await tenant.send("GET", `/changes?project_id=${limited.id}`);
    const { items } = answer.body as unknown as Page;
    expect(items.length).toBeGreaterThan(1);
    expect(items.length).toBeLessThan(6);
    expect(items[0]?.changes[0]?.to_version).toBe(8);
  });
});

import { describe, expect, it } from "@jest/globals";
import { freshName } from "../tenant.ts";
import { changesOf, putPolicy } from "./changes-under-test.ts";
import { tenant, type Page, useProject } from "./project-under-test.ts";

useProject();

describe("change records", () => {
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

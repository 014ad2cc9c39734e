import { describe, expect, it } from "@jest/globals";
import { type Answer, freshName } from "./tenant.ts";
import { configs, ours, tenant, useProjectWithAgent } from "./project-with-agent.ts";
import { bodies, holds, secrets, storedOf } from "./secrets-under-test.ts";

useProjectWithAgent();

describe("secrets", () => {
  it("lie nowhere in the database, and leave in no answer that need not have them", async () => {
    const answers: Answer[] = [];
    for (const [path, fields] of Object.entries(bodies)) {
      const made = await tenant.make(path, { project_id: ours.project.id, name: freshName(), ...fields() });
      const put = await tenant.send("PUT", `${path}/${made.id}`, fields());
      expect([path, put.status]).toEqual([path, 200]);
      const reads = [
        put,
        await tenant.send("GET", `${path}/${made.id}`),
        await tenant.send("GET", `${path}/${made.id}?version=1`),
      ];
      // Header values come back on reads; the others never do.
      if (path === "/external-data-resolvers") {
        for (const read of reads) expect(holds(read.text)).toHaveLength(2);
      } else answers.push(...reads, await tenant.send("GET", `${path}?full_fetch=true`));
      const invalid = { project_id: ours.project.id, name: "A", ...fields() };
      const refused = await tenant.send("POST", path, invalid);
      expect([path, refused.status, holds(refused.text)]).toEqual([path, 422, []]);
      await configs.changesOf(made.id, 2);
    }
    answers.push(await tenant.send("GET", `/export?project_id=${ours.project.id}`));

    expect(secrets).toHaveLength(12);
    const stored = await storedOf(configs.graph, tenant.organization);
    expect(stored.length).toBeGreaterThan(10);
    expect(holds(stored.join())).toEqual([]);
    expect(holds(JSON.stringify(configs.changes))).toEqual([]);
    for (const { text, status } of answers) expect([status, holds(text)]).toEqual([200, []]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../../../stack/src/testing/servers/service-process.ts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { type Answer, freshName, type Tenant } from "./tenant.ts";
import { populate, type Population } from "./populate.ts";
import { bodies, holds, newSecret, secrets, storedOf } from "./secrets-under-test.ts";

let configs: ConfigsUnderTest;
let other: ServiceProcess;
let tenant: Tenant;
let ours: Population;

beforeAll(async () => {
  configs = await startConfigs();
  other = await startServiceProcess("configs", { ...configs.environment, LOG_LEVEL: "debug" });
  tenant = (await configs.tenant()).at(other.url);
  ours = await populate(tenant);
});
afterAll(async () => {
  await other.running.end();
  await configs.close();
});

describe("secrets", () => {
  it("lie nowhere in the database, leave in no answer that need not have them, and in no log", async () => {
    const answers: Answer[] = [];
    for (const [path, fields] of Object.entries(bodies)) {
      const common = { project_id: ours.project.id, name: freshName() };
      const made = await tenant.make(path, { ...common, ...fields() });
      const put = await tenant.send("PUT", `${path}/${made.id}`, fields());
      expect([path, put.status]).toEqual([path, 200]);
      const reads = [
        put,
        ...(await Promise.all(
          ["", "?version=1", "?version=2"].map((query) => tenant.send("GET", `${path}/${made.id}${query}`)),
        )),
      ];
      // Header values come back on reads; the others never do.
      if (path === "/external-data-resolvers") {
        for (const read of reads) expect(holds(read.text)).toHaveLength(2);
        expect(reads[2]?.text).toContain(secrets[0]);
      } else answers.push(...reads, await tenant.send("GET", `${path}?full_fetch=true`));
      // Faults of the body, of its name, of its project, and of its precondition.
      answers.push(
        await tenant.send("POST", path, { ...common, ...fields(), name: "A" }),
        await tenant.send("POST", path, { ...common, ...fields() }),
        await tenant.send("POST", path, { ...common, ...fields(), project_id: "gid:x" }),
        await tenant.send("PUT", `${path}/${made.id}`, fields(), { "if-match": '"old"' }),
        await tenant.send("PUT", `${path}/${made.id}`, { ...fields(), name: "other-name" }),
      );
      expect(answers.slice(-5).map(({ status }) => status)).toEqual([422, 409, 422, 412, 422]);
      await configs.changesOf(made.id, 2);
    }
    const broken = { headers: { "a b": newSecret() }, auth_params: { [newSecret()]: "" } };
    for (const path of Object.keys(bodies)) answers.push(await tenant.send("POST", path, broken));

    const account = await tenant.make("/service-accounts", {
      organization_id: tenant.organization,
      name: freshName(),
      role: "all_viewer",
    });
    for (const [path, parent, config] of [
      ["/application-agent-credentials", { application_agent_id: ours.agent.id }, "application_agent_config"],
      ["/service-account-credentials", { service_account_id: account.id }, "service_account_config"],
    ] as const) {
      const made = await tenant.make(path, parent);
      secrets.push((made.body[config] as { token: string }).token);
      answers.push(await tenant.send("GET", `${path}/${made.id}`), await tenant.send("GET", path));
    }

    expect(secrets.length).toBeGreaterThan(20);
    const stored = await storedOf(configs.graph, tenant.organization);
    expect(stored.length).toBeGreaterThan(20);
    expect(holds(stored.join())).toEqual([]);
    expect(holds(JSON.stringify(configs.changes))).toEqual([]);
    for (const { text, status } of answers)
      // A refused name of a header is shown; what stands in the place of a name is no secret.
      expect([status, holds(text).filter((secret) => !text.includes(`auth_params.${secret}`))]).toEqual([
        status,
        [],
      ]);
    expect(other.running.output()).toContain("update_audit_signing");
    expect(holds(other.running.output())).toEqual([]);
  });
});

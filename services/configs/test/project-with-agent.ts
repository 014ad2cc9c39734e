import { afterAll, beforeAll } from "@jest/globals";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { createAgent, type ProjectWithAgent } from "./populate.ts";
import type { Tenant } from "./tenant.ts";

export let configs: ConfigsUnderTest;

export let tenant: Tenant;

export let ours: ProjectWithAgent;

/** Gives the tests of a file a running service, and a tenant with a project that has an agent. */
export const useProjectWithAgent = (): void => {
  beforeAll(async () => {
    configs = await startConfigs();
    tenant = await configs.tenant();
    ours = await createAgent(tenant);
  });
  afterAll(() => configs.close());
};

import { afterAll, beforeAll } from "@jest/globals";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { populate, type Population, type Sample } from "./populate.ts";
import type { Tenant } from "./tenant.ts";

export let configs: ConfigsUnderTest;
export let tenant: Tenant;
export let stranger: Tenant;
export let ours: Population;
export let theirs: Population;

export const sampleOf = (population: Population, path: string): Sample => {
  const found = population.samples.find((sample) => sample.path === path);
  if (found === undefined) throw new Error(path);
  return found;
};

/** Gives the tests of a file a running service and two tenants with one record of every kind. */
export const useTwoTenants = (): void => {
  beforeAll(async () => {
    configs = await startConfigs();
    tenant = await configs.tenant();
    stranger = await configs.tenant();
    ours = await populate(tenant);
    theirs = await populate(stranger);
  });
  afterAll(() => configs.close());
};

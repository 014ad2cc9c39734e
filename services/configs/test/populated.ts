import { afterAll, beforeAll, expect } from "@jest/globals";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { type Answer, type Made, type Tenant } from "./tenant.ts";
import { populate, type Population } from "./populate.ts";

export let configs: ConfigsUnderTest;

export let tenant: Tenant;

export let ours: Population;

/** Another record beside the ones that are there, with other values for some fields. */
export const another = (path: string, more: object = {}): Promise<Made> => {
  const sample = ours.samples.find((each) => each.path === path);
  return tenant.make(path, { ...sample?.body(), ...more });
};

export const refused = (answer: Answer): unknown => {
  expect([answer.status, answer.body.message]).toEqual([422, "Unprocessable Entity"]);
  expect(Object.keys(answer.body)).toEqual(["message", "errors"]);
  return answer.body.errors;
};

/** Gives the tests of a file a running service and a tenant with one record of every kind. */
export const usePopulation = (): void => {
  beforeAll(async () => {
    configs = await startConfigs();
    tenant = await configs.tenant();
    ours = await populate(tenant);
  });
  afterAll(() => configs.close());
};

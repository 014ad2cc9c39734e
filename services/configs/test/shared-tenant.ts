import { afterAll, beforeAll } from "@jest/globals";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../../../stack/src/testing/servers/service-process.ts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { type Made, type Tenant } from "./tenant.ts";
import { populate, type Population, type Sample } from "./populate.ts";

export let configs: ConfigsUnderTest;

export let other: ServiceProcess;

export let tenant: Tenant;

export let ours: Population;

export const sampleOf = (path: string): Sample => {
  const found = ours.samples.find((sample) => sample.path === path);
  if (found === undefined) throw new Error(path);
  return found;
};

/** A record of its own for one test. */
export const another = async (
  path: string,
): Promise<{ sample: Sample; made: Made; body: Record<string, unknown> }> => {
  const sample = sampleOf(path);
  if (path === "/mcp-servers") await tenant.send("DELETE", `${path}/${lastServer}`);
  const body = { ...sample.body(), display_name: "First", description: "first one" };
  const made = await tenant.make(path, body);
  if (path === "/mcp-servers") lastServer = made.id;
  return { sample, made, body };
};

/** A project has one. */
let lastServer = "none";

/** The fields of a record that an update has to bring, with the values they have. */
export const leastOf = ({ description }: Sample, from: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(description.fields)
      .filter(([name, { update }]) => update === "required" || name === "jwt_matcher")
      // A provider of one's own wants them again.
      .concat(
        description.kind === "audit_signing"
          ? [
              ["key_resource", {} as never],
              ["kid", {} as never],
            ]
          : [],
      )
      .map(([name]) => [name, from[name]]),
  );

/** Gives the tests of a file two processes of the service and a tenant with one record of every kind. */
export const useSamples = (): void => {
  beforeAll(async () => {
    configs = await startConfigs();
    other = await startServiceProcess("configs", configs.environment);
    tenant = await configs.tenant();
    ours = await populate(tenant);
  });
  afterAll(async () => {
    await other.running.end();
    await configs.close();
  });
};

import { afterAll, beforeAll, expect } from "@jest/globals";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";
import { ciqText, kbacText, queryText } from "./policy-texts.ts";
import { introspectBody } from "./populate.ts";

export let configs: ConfigsUnderTest;
export let tenant: Tenant;
export let ours: {
  readonly project: Made;
  readonly ciq: Made;
  readonly kbac: Made;
  readonly introspect: Made;
};

export const makePolicy = (of: Tenant, project: Made, text: string): Promise<Made> =>
  of.make("/authorization-policies", {
    project_id: project.id,
    name: freshName(),
    status: "ACTIVE",
    policy: text,
  });

/** The body of one more policy. */
export const policy = (more: object) => ({
  project_id: ours.project.id,
  name: freshName(),
  status: "ACTIVE",
  policy: kbacText(),
  ...more,
});

/** The body of one more query. */
export const query = (more: object) => ({
  project_id: ours.project.id,
  name: freshName(),
  status: "ACTIVE",
  policy_id: ours.ciq.id,
  query: queryText(),
  ...more,
});

/** Requires that a query is refused with these errors. */
export const refuseQuery = async (body: object, status: number, errors: readonly string[]): Promise<void> => {
  const answer = await tenant.send("POST", "/knowledge-queries", body);
  expect([answer.status, answer.body.errors]).toEqual([status, errors]);
};

/** The text of a policy that writes, which is refused. */
export const writingText = kbacText().replace(
  "[:OWNS]->(resource:Car)",
  "[:OWNS]->(resource:Car) DETACH DELETE resource",
);

/** Gives the tests of a file a running service, and a project with a policy of each kind and a token introspect. */
export const usePolicies = (): void => {
  beforeAll(async () => {
    configs = await startConfigs();
    tenant = await configs.tenant();
    const project = await tenant.project();
    ours = {
      project,
      ciq: await makePolicy(tenant, project, ciqText()),
      kbac: await makePolicy(tenant, project, kbacText()),
      introspect: await tenant.make("/token-introspects", introspectBody(project.id)),
    };
  });
  afterAll(() => configs.close());
};

import { beforeEach, describe, expect, it } from "@jest/globals";
import { projectNamesKey, projectNamesLabel } from "@ikg/physical";
import { connection, create, inSecond, proxy, tenant, useSecondDatabase } from "./second-database.ts";
import { freshName } from "./tenant.ts";

useSecondDatabase();

let project: string;

/** The list of names, as the capture service keeps it in the database of the graph. */
const listNames = (names: object): Promise<unknown> =>
  inSecond(`MERGE (g:${projectNamesLabel} {key: $key}) SET g += $names`, {
    key: projectNamesKey(project),
    names: { count_time: 1, property_names: ["hours"], relationship_types: ["OWNS"], ...names },
  });

beforeEach(async () => {
  ({ id: project } = await create(connection()));
  await listNames({ node_types: ["Pilot", "Aircraft"] });
});

const policy = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Pilot" },
  actions: ["FLY"],
  resource: { type: "Aircraft" },
  condition: { cypher: "MATCH (subject)-[:OWNZ]->(resource) WHERE subject.property.hourz > 1" },
};
const record = (status = "ACTIVE") => ({ status, policy: JSON.stringify(policy) });

interface Warned {
  readonly code: string;
  readonly text: string;
}

const codesOf = (warnings: unknown): readonly string[] =>
  (warnings as readonly Warned[]).map(({ code, text }) => `${code}: ${text}`);

const unknown = [
  'unknown-relationship-type: the graph holds no relationship of type "OWNZ"; did you mean "OWNS"?',
  'unknown-property: no Pilot of the graph has a property "hourz"; did you mean "hours"?',
];
const notCompared = [
  "names-not-compared: the database of the project did not answer, so node types, relationship types and properties were not compared with its graph",
];

/** Every way that saves or checks a policy. */
const warnings = async (): Promise<readonly (readonly string[])[]> => {
  const path = "/authorization-policies";
  const body = { project_id: project, name: freshName(), ...record() };
  const checked = await tenant.send("POST", `${path}/validate`, body);
  const made = await tenant.send("POST", path, body);
  const updated = await tenant.send("PUT", `${path}/${String(made.body["id"])}`, record("INACTIVE"));
  const changes = [{ op: "put", collection: "authorization-policies", name: freshName(), record: record() }];
  const applied = await tenant.send("POST", "/changes", { project_id: project, changes });
  const answers = [checked, made, updated, applied];
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200]);
  return answers.map(({ body: { warnings: found } }) => codesOf(found));
};

describe("names that the graph in a project's own database does not hold", () => {
  it("are warned of", async () => {
    expect(await warnings()).toEqual([unknown, unknown, unknown, unknown]);
  });

  it("are no concern while nothing is captured", async () => {
    await listNames({ node_types: [] });
    expect(await warnings()).toEqual([[], [], [], []]);
  });

  for (const state of ["reset", "silent"] as const)
    it(`are not compared where the database is ${state}: a warning says so, and the policy is saved`, async () => {
      proxy.state = state;
      const before = performance.now();
      expect(await warnings()).toEqual([notCompared, notCompared, notCompared, notCompared]);
      expect(performance.now() - before).toBeLessThan(20_000);
    });
});

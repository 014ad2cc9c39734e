import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { freshName } from "../../src/fresh-name.ts";
import { capture } from "../../src/requests/capture.ts";
import { configs } from "../../src/requests/configs.ts";
import { must } from "../../src/requests/must.ts";

interface Warned {
  readonly warnings?: readonly { readonly code: string; readonly text: string }[];
}

let tenant: Tenant;

beforeAll(async () => {
  tenant = await createTenant("unknown-names");
});
afterAll(() => tenant?.remove());

const policy = (pattern: string): string =>
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Pilot" },
    actions: ["FLY"],
    resource: { type: "Aircraft" },
    condition: { cypher: `MATCH (subject:Pilot)${pattern}` },
  });

const misspelt = policy(
  "-[:RATED_FORR]->(:Modle)<-[:IS]-(resource:Aircraft) WHERE subject.property.hourz > 100",
);
const record = (text: string) => ({
  project_id: tenant.projectId,
  name: freshName("rule"),
  status: "ACTIVE",
  policy: text,
});
const textsOf = ({ warnings = [] }: Warned): readonly string[] =>
  warnings.map(({ code, text }) => `${code}: ${text}`);
const validate = async (text: string): Promise<readonly string[]> =>
  textsOf(must<Warned>(await configs("/authorization-policies/validate", { json: record(text) }), 200));

const expected = [
  'unknown-relationship-type: the graph holds no relationship of type "RATED_FORR"; did you mean "RATED_FOR"?',
  'unknown-label: the graph holds no node of type "Modle"; did you mean "Model"?',
  'unknown-property: no Pilot of the graph has a property "hourz"; did you mean "hours"?',
];

describe("names that the graph does not hold", () => {
  it("are no concern while nothing is captured", async () => {
    expect(await validate(misspelt)).toEqual([]);
  });

  it("are warned of with the nearest one, when a policy is checked, tried in a change set, and saved", async () => {
    const [ann, dc3, plane] = [
      { type: "Pilot", external_id: "ann" },
      { type: "Model", external_id: "dc3" },
      { type: "Aircraft", external_id: "n1" },
    ];
    await capture(
      {
        nodes: [{ ...ann, properties: [{ type: "hours", value: 200 }] }, dc3, plane],
        relationships: [
          { source: ann, target: dc3, type: "RATED_FOR" },
          { source: plane, target: dc3, type: "IS" },
        ],
      },
      tenant,
    );
    expect(await validate(misspelt)).toEqual(expected);
    const changes = [
      {
        op: "put",
        collection: "authorization-policies",
        name: freshName("rule"),
        record: { status: "ACTIVE", policy: JSON.parse(misspelt) as object },
      },
    ];
    const json = { project_id: tenant.projectId, changes };
    expect(textsOf(must<Warned>(await configs("/changes?dry_run=true", { json }), 200))).toEqual(expected);
    expect(
      textsOf(must<Warned>(await configs("/authorization-policies", { json: record(misspelt) }), 201)),
    ).toEqual(expected);
  });

  it("are none where every name is held", async () => {
    const right = "-[:RATED_FOR]->(:Model)<-[:IS]-(resource:Aircraft) WHERE subject.property.hours > 100";
    expect(await validate(policy(right))).toEqual([]);
  });
});

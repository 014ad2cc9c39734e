import { expect, it } from "@jest/globals";
import { defaultOrganizationNames, effectiveLimits, newGid } from "@ikg/contracts";
import type { Graph, Row } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import type { Project } from "../projects/projects.ts";
import { countGraph } from "./count-graph.ts";
import { nodeFieldsText, nodeTypesText } from "./statements.ts";

const pk = projectKey("abcdefgh");
const project: Project = {
  id: newGid("project"),
  pk,
  ikgStatus: "ACTIVE",
  limits: effectiveLimits({}),
  organizationId: newGid("organization"),
  organizationNames: defaultOrganizationNames,
};

const types: readonly Row[] = [
  { type: "Car", count: 2, identities: 0, created: "2026-01-02T00:00:00.000Z" },
  { type: "Person", count: 1, identities: 1, created: "2026-01-01T00:00:00.000Z" },
];
const fields: readonly Row[] = [{ type: "Car", field: "color", value: "STRING NOT NULL", count: 2 }];

/** @param typeRows the answer to the first statement; no other one but that of the fields has rows. */
const count = (typeRows: readonly Row[]) => {
  const read = async (text: string): Promise<readonly Row[]> => {
    if (text === nodeTypesText(pk)) return typeRows;
    return text === nodeFieldsText(pk) ? fields : [];
  };
  const graph = { of: () => ({ read }) } as unknown as Graph; // nothing else is called
  return countGraph(graph, project, new Date(0), new AbortController().signal);
};

it("a data schema begins with the first node of any type", async () => {
  expect(await count(types)).toMatchObject({
    graph: {
      metadata: { created_at: "2026-01-01T00:00:00.000Z", updated_at: "1970-01-01T00:00:00.000Z" },
      nodes: { Car: { metadata: { node_count: 2, properties: { color: { count: 2 } } } } },
    },
  });
});

it("a graph whose first node is captured between two statements has no data schema yet", async () => {
  expect(await count([])).toBeUndefined();
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { defaultOrganizationNames, effectiveLimits, newGid } from "@ikg/contracts";
import { detachHubs } from "../src/nodes/detach-hubs.ts";
import { type CaptureUnderTest, startCapture } from "./capture-under-test.ts";

let capture: CaptureUnderTest;

beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

describe("a node with very many relationships", () => {
  it("loses them in several transactions until the rest fits one, and is then deleted", async () => {
    const project = capture.project();
    await project.nodes([
      { type: "Hub", external_id: "h" },
      { type: "Leaf", external_id: "l" },
    ]);
    const text = `MATCH (h:_Node {_key: $h}) MATCH (l:_Node {_key: $l})
UNWIND range(1, 71000) AS i CREATE (h)-[:SPOKE]->(l)`;
    const keys = { h: `${project.pk}/Hub/h`, l: `${project.pk}/Leaf/l` };
    await capture.graph.shared.write((tx) => tx.run(text, keys), { timeoutMs: 60_000 });
    const hub = { type: "Hub", external_id: "h", location: undefined };
    const owner = {
      id: project.id,
      pk: project.pk,
      ikgStatus: "ACTIVE",
      limits: effectiveLimits({}),
      organizationId: newGid("organization"),
      organizationNames: defaultOrganizationNames,
    };
    const request = { requestId: "test", signal: new AbortController().signal };
    await detachHubs(capture.graph, owner, [hub], request);
    expect(await project.counts()).toEqual({ nodes: 2, relationships: 41_000 });
    await detachHubs(capture.graph, owner, [hub], request);
    expect((await project.counts()).relationships).toBe(41_000);
    const { status, body } = await project.send("POST", "/capture/v1/nodes/delete", { nodes: [hub] });
    expect([status, body.results?.map(({ id }) => id !== "")]).toEqual([200, [true]]);
    expect(await project.counts()).toEqual({ nodes: 1, relationships: 0 });
  });
});

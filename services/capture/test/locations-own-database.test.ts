import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { connectGraph, type Connection, type Graph } from "@ikg/graph";
import { type FaultyProxy, openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type CaptureUnderTest, startCapture, type TestProject } from "./capture-under-test.ts";

/** The default database of the project is on one server, its constituent in the east on another. */
let capture: CaptureUnderTest;
let project: TestProject;
let proxy: FaultyProxy;
let east: Graph;

const connectionOf = (prefix: string, url = requireVariable(`${prefix}NEO4J_URI`)): Connection => ({
  url,
  username: requireVariable(`${prefix}NEO4J_USERNAME`),
  password: requireVariable(`${prefix}NEO4J_PASSWORD`),
});
const options = { timeoutMs: 80_000 };

beforeAll(async () => {
  const second = connectionOf("SECOND_");
  const { hostname, port } = new URL(second.url);
  proxy = await openFaultyProxy({ host: hostname, port: Number(port) });
  capture = await startCapture();
  east = connectGraph({ ...second, uri: second.url });
  const connection = connectionOf("");
  project = capture.project("ACTIVE", {
    connection,
    composite: {
      database: "hospital",
      constituents: new Map([
        ["global", "db1"],
        ["east", "db2"],
      ]),
      connections: new Map([
        ["db1", connection],
        ["db2", { ...second, url: `bolt://127.0.0.1:${proxy.port}` }],
      ]),
    },
  });
  // As the configs service prepares a database: by the constraint two writers make one node. A server that has just
  // started takes its time for the first statements.
  const constraint = "CREATE CONSTRAINT ig_node_key IF NOT EXISTS FOR (n:_Node) REQUIRE n._key IS UNIQUE";
  for (let tries = 1; ; tries++) {
    try {
      await east.shared.write((tx) => tx.run(constraint, {}), options);
      return;
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}, 120_000);

const both = (): readonly Graph[] => [capture.graph, east];
const clear = async (): Promise<void> => {
  for (const { shared } of both())
    await shared.write(
      (tx) => tx.run("MATCH (n:_Node) WHERE n._key STARTS WITH '/' DETACH DELETE n", {}),
      options,
    );
};
beforeEach(async () => {
  proxy.state = "through";
  await clear();
});
afterEach(clear);
afterAll(async () => {
  await capture.close();
  await east.close();
  await proxy.close();
});

const ref = (external_id: string, location?: string) => ({
  type: "Person",
  external_id,
  ...(location === undefined ? {} : { location }),
});
const named = (external_id: string, location?: string) => ({
  ...ref(external_id, location),
  properties: [{ type: "name", value: external_id.toUpperCase() }],
});
const knows = (source: object, target: object) => ({ source, target, type: "KNOWS" });
const remove = (path: string, body: object) => project.send("POST", `/capture/v1/${path}`, body);

/** What a database holds of the project: nodes with name, location and id, and who knows whom. */
const contents = async ({ shared }: Graph) => {
  const nodes = await shared.read(
    `MATCH (n:_Node) WHERE n._key STARTS WITH '/' RETURN n.external_id AS x, n.name AS name, n._location AS location,
       n.id AS id, labels(n) AS labels ORDER BY x`,
    {},
    options,
  );
  const pairs = await shared.read(
    "MATCH (a:_Node)-[:KNOWS]->(b:_Node) WHERE a._key STARTS WITH '/' RETURN a.external_id + b.external_id AS pair ORDER BY pair",
    {},
    options,
  );
  return {
    nodes: nodes.map(({ x, name, location }) => [x, name, location]),
    ids: nodes.map(({ id }) => id),
    labels: nodes.map(({ labels }) => labels),
    pairs: pairs.map(({ pair }) => pair),
  };
};

describe("a project whose graph is in several places", () => {
  it("has each node in its place, and a proxy of those elsewhere in the default database", async () => {
    const { status, body } = await project.nodes([
      named("ann"),
      named("eve", "east"),
      named("bob", "global"),
      named("ann"),
    ]);
    expect([status, body.errors]).toEqual([200, undefined]);
    const [here, there] = await Promise.all(both().map(contents));
    expect(here?.nodes).toEqual([
      ["ann", "ANN", null],
      ["bob", "BOB", null],
      ["eve", null, "east"],
    ]);
    expect(there?.nodes).toEqual([["eve", "EVE", null]]);
    // A proxy has the id of its node, and its labels, so that relationships and policies find it.
    expect(here?.ids[2]).toBe(there?.ids[0]);
    expect(here?.labels[2]).toEqual(there?.labels[0]);
    expect(body.results?.map(({ id }) => id)).toEqual([
      here?.ids[0],
      there?.ids[0],
      here?.ids[1],
      here?.ids[0],
    ]);
  });

  it("refuses locations it does not know, and relationships between places", async () => {
    await project.nodes([named("ann"), named("eve", "east")]);
    const unknown = await project.nodes([named("x"), named("y", "mars")]);
    expect([unknown.status, unknown.body.errors]).toEqual([422, ["nodes[1].location: unknown location"]]);
    const between = await project.relationships([knows(ref("ann"), ref("eve", "east"))]);
    expect([between.status, between.body.errors]).toEqual([
      422,
      ["relationships[0]: source and target are in different locations; use_global_db is needed"],
    ]);
    const [here] = await Promise.all(both().map(contents));
    expect(here?.nodes.map(([x]) => x)).toEqual(["ann", "eve"]);
  });

  it("relates nodes where they are, and proxies in the default database when that is asked for", async () => {
    await project.nodes([named("ann"), named("bob"), named("eve", "east"), named("fay", "east")]);
    const inPlace = [knows(ref("ann"), ref("bob")), knows(ref("eve", "east"), ref("fay", "east"))];
    expect((await project.relationships(inPlace)).status).toBe(200);
    const across = [knows(ref("ann"), ref("eve", "east"))];
    expect((await project.relationships(across, { use_global_db: true })).status).toBe(200);
    let [here, there] = await Promise.all(both().map(contents));
    expect([here?.pairs, there?.pairs]).toEqual([["annbob", "anneve"], ["evefay"]]);

    const { body } = await remove("relationships/delete", { relationships: inPlace });
    expect(body.results?.every(({ id }) => id !== "")).toBe(true);
    await remove("relationships/delete", { relationships: across, use_global_db: true });
    [here, there] = await Promise.all(both().map(contents));
    expect([here?.pairs, there?.pairs]).toEqual([[], []]);
  });

  it("writes nothing when an end is missing in one of the places", async () => {
    await project.nodes([named("ann"), named("bob"), named("eve", "east")]);
    const { status, body } = await project.relationships([
      knows(ref("eve", "east"), ref("eve", "east")),
      knows(ref("ann"), ref("gone")),
    ]);
    expect([status, body.errors]).toEqual([
      422,
      ["relationships[1].target: node does not exist", expect.stringMatching(/^on_missing: "skip" /)],
    ]);
    expect((await contents(east)).pairs).toEqual([]);
  });

  it("leaves out what lacks an end in its place, when that is asked for", async () => {
    await project.nodes([named("ann"), named("bob"), named("eve", "east")]);
    const { status, body } = await project.relationships(
      [
        knows(ref("eve", "east"), ref("gone", "east")),
        knows(ref("eve", "east"), ref("eve", "east")),
        knows(ref("ann"), ref("gone")),
        knows(ref("ann"), ref("bob")),
      ],
      { on_missing: "skip" },
    );
    const reason = "target: node does not exist";
    expect([status, body.skipped]).toEqual([
      200,
      [
        { index: 0, reason },
        { index: 2, reason },
      ],
    ]);
    const [here, there] = await Promise.all(both().map(contents));
    expect([here?.pairs, there?.pairs]).toEqual([["annbob"], ["eveeve"]]);
  });

  it("deletes nodes with their proxies, and properties where they are", async () => {
    await project.nodes([named("ann"), named("eve", "east"), named("fay", "east")]);
    const there = await contents(east);
    const properties = await remove("nodes/properties/delete", {
      nodes: [
        { ...ref("eve", "east"), property_types: ["name"] },
        { ...ref("ann"), property_types: ["name"] },
      ],
    });
    expect(properties.status).toBe(200);
    expect((await contents(east)).nodes).toEqual([
      ["eve", null, null],
      ["fay", "FAY", null],
    ]);
    const { body } = await remove("nodes/delete", {
      nodes: [ref("ann"), ref("fay", "east"), ref("no", "east")],
    });
    expect(body.results?.map(({ id }) => id)).toEqual([expect.any(String), there.ids[1], ""]);
    const [here, after] = await Promise.all(both().map(contents));
    expect([here?.nodes, after?.nodes]).toEqual([[["eve", null, "east"]], [["eve", null, null]]]);
  });

  it("finds a node by its gid wherever it is", async () => {
    const { body } = await project.nodes([named("eve", "east")]);
    const id = body.results?.[0]?.id ?? "";
    const put = await project.send("PUT", `/capture/v1/nodes/${id}`, {
      properties: [{ type: "name", value: "Eva" }],
    });
    expect([put.status, put.body.results?.[0]?.id]).toEqual([200, id]);
    const [here, there] = await Promise.all(both().map(contents));
    expect([here?.nodes, there?.nodes]).toEqual([[["eve", null, "east"]], [["eve", "Eva", null]]]);
  });

  it("completes a batch that was interrupted when it is sent again", async () => {
    const batch = [named("ann"), named("eve", "east")];
    proxy.state = "reset";
    const refused = await project.nodes(batch);
    // The constituent comes first: nothing is written yet.
    expect(refused.status).toBe(503);
    expect((await contents(capture.graph)).nodes).toEqual([]);
    proxy.state = "through";
    // What a failure between the two databases leaves behind.
    await project.nodes(batch);
    await capture.graph.shared.write(
      (tx) => tx.run("MATCH (n:_Node) WHERE n._key STARTS WITH '/' DETACH DELETE n", {}),
      options,
    );
    const again = await project.nodes(batch);
    const [here, there] = await Promise.all(both().map(contents));
    expect([again.status, here?.nodes, there?.nodes]).toEqual([
      200,
      [
        ["ann", "ANN", null],
        ["eve", null, "east"],
      ],
      [["eve", "EVE", null]],
    ]);
    expect(here?.ids[1]).toBe(there?.ids[0]);
  });
});

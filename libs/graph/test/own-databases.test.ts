import { createServer } from "node:net";
import { once } from "node:events";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { openOwnDatabases } from "../src/connections/own-databases.ts";
import { type Connections, connectGraph, type Graph, type ResolveHost } from "../src/index.ts";

const open: Graph[] = [];
afterEach(() => Promise.all(open.splice(0).map((graph) => graph.close())));

const connected = (resolve?: ResolveHost): Graph => {
  const graph = connectGraph(neo4jOfTests(), {}, resolve);
  open.push(graph);
  return graph;
};

const { uri, username, password } = neo4jOfTests();
const { hostname, port, protocol } = new URL(uri);
const own = (id: string, more: object = {}) => ({
  id,
  pk: "",
  connection: { url: uri, username, password, ...more },
});
const one = (graph: Graph, project: Parameters<Graph["of"]>[0]) =>
  graph.of(project).read("RETURN 1 AS one", {}, { timeoutMs: 6_000 });
const unavailable = expect.objectContaining({ code: "unavailable" });

// The first question to a server that has just started takes longer than the driver of a project would wait.
beforeAll(async () => {
  const graph = connected();
  for (let tries = 0; tries < 10 && !(await graph.ready()); tries++);
}, 30_000);

describe("databases of projects", () => {
  it("go to the address that was judged, whatever the name", async () => {
    const hosts: string[] = [];
    const graph = connected((host) => {
      hosts.push(host);
      return Promise.resolve(hostname);
    });
    const named = own("a", { url: `${protocol}//graph.example:${port}` });
    expect(await one(graph, named)).toEqual([{ one: 1 }]);
    expect(hosts).toEqual(["graph.example"]);
  });

  it("are judged again for each connection of a cluster's driver", async () => {
    const hosts: string[] = [];
    let closed = false;
    const graph = connected((host) => {
      hosts.push(host);
      return closed ? Promise.reject(new Error("closed")) : Promise.resolve(hostname);
    });
    const routed = own("a", { url: `neo4j://seed.example:${port}` });
    expect(await one(graph, routed)).toEqual([{ one: 1 }]);
    expect(new Set(hosts)).toEqual(new Set(["seed.example"]));
    closed = true;
    await expect(one(graph, own("b", { url: `neo4j://seed.example:${port}` }))).rejects.toEqual(unavailable);
  });

  it("are never connected to where no host is open", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = `bolt://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    await expect(one(connected(), own("a", { url }))).rejects.toEqual(unavailable);
    await expect(
      one(
        connected(() => Promise.reject(new Error("closed"))),
        own("a", { url }),
      ),
    ).rejects.toEqual(unavailable);
    expect(connections).toBe(0);
    server.close();
  });

  it("are not replaced by the shared one when the connection is not known", () => {
    const graph = connected((host) => Promise.resolve(host));
    expect(() => graph.of({ id: "a", pk: "" })).toThrow(unavailable);
    expect(() => graph.of({ id: "a", pk: "", connection: undefined })).toThrow(unavailable);
    expect(() => graph.of({ ...own("a", { url: "http://x" }) })).toThrow(unavailable);
    expect(() => graph.of({ id: "a", pk: "abcdefgh" })).not.toThrow();
  });

  it("keep their driver while the connection stays, and have each its own", async () => {
    let connections = (): Connections => ({ inUse: 0, idle: 0, waiting: 0 });
    const graph = connectGraph(
      neo4jOfTests(),
      { onOpened: (look) => void (connections = () => look().own) },
      (host) => Promise.resolve(host),
    );
    open.push(graph);
    const first = graph.of(own("a"));
    for (let i = 0; i < 3; i++) await one(graph, own("a"));
    expect(connections()).toMatchObject({ inUse: 0, idle: 1 });
    await one(graph, own("b"));
    expect(connections()).toMatchObject({ inUse: 0, idle: 2 });
    const changed = graph.of(own("a", { password: "another" }));
    // What still runs on the replaced one ends in peace.
    expect(await first.read("RETURN 1 AS one", {}, { timeoutMs: 6_000 })).toEqual([{ one: 1 }]);
    await expect(changed.read("RETURN 1 AS one", {}, { timeoutMs: 6_000 })).rejects.toEqual(unavailable);
    graph.release("b");
    expect(await one(graph, own("b"))).toEqual([{ one: 1 }]);
  });

  it("answer a statement with a bounded number of bytes, and the next one as before", async () => {
    const databases = openOwnDatabases({
      queue: { queueLength: 10, queueMs: 1_000 },
      hooks: {},
      resolve: (host) => Promise.resolve(host),
      schemaAgeMs: 60_000,
      answerBytes: 1_000_000,
    });
    const database = databases.ofAnyVersion(own("a"), undefined, "query");
    const params = { text: "x".repeat(100_000) };
    const options = { timeoutMs: 10_000 };
    const long = "UNWIND range(1, 100) AS i RETURN $text AS text";
    await expect(database.read(long, params, options)).rejects.toEqual(unavailable);
    await expect(database.write((tx) => tx.run(long, params), options)).rejects.toEqual(unavailable);
    expect(await database.read("RETURN 1 AS one", {}, options)).toEqual([{ one: 1 }]);
    await databases.close();
  });
});

import { describe, expect, it } from "@jest/globals";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { connectGraph, type Graph } from "../src/index.ts";
import { scratchLabel } from "./backend.ts";
import { unavailable, useConnections } from "./connections.ts";

const { open, graphAt, listen } = useConnections();

describe("connectGraph", () => {
  it("is ready, and prepares the same schema again and again", async () => {
    const graph = graphAt({});
    expect(await graph.ready()).toBe(true);
    await Promise.all([graph.prepare(), graphAt({}).prepare()]);
    const constraints = await graph.shared.read(
      "SHOW CONSTRAINTS YIELD name WHERE name STARTS WITH 'ig_' RETURN name ORDER BY name",
      {},
      { timeoutMs: 5_000 },
    );
    expect(constraints.map((row) => row["name"])).toEqual([
      "ig_audit_batch",
      "ig_audit_chain",
      "ig_audit_checkpoint",
      "ig_audit_key",
      "ig_audit_outbox",
      "ig_audit_platform_key",
      "ig_audit_spill",
      "ig_change_id",
      "ig_change_key",
      "ig_claim",
      "ig_import_chunk",
      "ig_import_id",
      "ig_import_rejection",
      "ig_node_id",
      "ig_node_key",
      "ig_outbox_id",
      "ig_project_names",
      "ig_record_id",
      "ig_record_kid",
      "ig_record_name_key",
      "ig_record_pk",
      "ig_record_unique_key",
      "ig_record_usage",
      "ig_record_version_key",
      "ig_trust_range",
      "ig_trust_run",
    ]);
  });

  it("says unavailable at once when nothing listens, and names the address without the password", async () => {
    const port = await listen(() => undefined);
    open.servers.splice(0).forEach((server) => server.close());
    const graph = graphAt({ uri: `bolt://127.0.0.1:${port}` });
    await expect(graph.shared.read("RETURN 1", {}, { timeoutMs: 10_000 })).rejects.toMatchObject(unavailable);
    await expect(
      graph.shared.write((tx) => tx.run("RETURN 1", {}), { timeoutMs: 10_000 }),
    ).rejects.toMatchObject(unavailable);
    await expect(graph.shared.writeOnce("RETURN 1", {}, { timeoutMs: 10_000 })).rejects.toMatchObject(
      unavailable,
    );
    expect(await graph.ready()).toBe(false);
    await expect(graph.prepare()).rejects.toThrow(`Neo4j at bolt://127.0.0.1:${port} cannot be used now`);
  });

  it("names refused credentials", async () => {
    const graph = graphAt({ username: "nobody-of-this-name", password: "not-the-password" });
    expect(await graph.ready()).toBe(false);
    const error = await graph.prepare().catch((e: unknown) => e);
    expect(String(error)).toMatch(/^Error: Neo4j at \S+ refused the user name or the password$/);
    expect(String(error)).not.toContain("not-the-password");
  });

  it("refuses an address that is not one of Neo4j", () => {
    expect(() => connectGraph({ ...neo4jOfTests(), uri: "http://user:secret@somewhere" })).toThrow(
      "the Neo4j address is not usable: http://somewhere",
    );
  });

  it("comes back by itself after the connection was lost", async () => {
    const { uri } = neo4jOfTests();
    const target = new URL(uri);
    const { connect } = await import("node:net");
    const port = await listen((socket) => {
      const upstream = connect(Number(target.port), target.hostname);
      open.sockets.push(upstream);
      upstream.on("error", () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
      socket.on("close", () => upstream.destroy());
    });
    const graph = graphAt({ uri: `bolt://127.0.0.1:${port}` });
    const ask = () => graph.shared.read("RETURN 1 AS one", {}, { timeoutMs: 10_000 });
    expect(await ask()).toEqual([{ one: 1 }]);
    const slow = graph.shared.read(
      "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN sum(x + y) AS s",
      {},
      { timeoutMs: 2_000 },
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const socket of open.sockets.splice(0)) socket.destroy();
    await expect(slow).rejects.toMatchObject(unavailable);
    expect(await ask()).toEqual([{ one: 1 }]);
  });

  /** A line to the server from which no answer arrives any more once the test says so: what is sent is carried out. */
  const deafLine = async (): Promise<{ readonly graph: Graph; cut: boolean }> => {
    const target = new URL(neo4jOfTests().uri);
    const { connect } = await import("node:net");
    const port = await listen((socket) => {
      const upstream = connect(Number(target.port), target.hostname);
      open.sockets.push(upstream);
      upstream.on("error", () => socket.destroy());
      socket.pipe(upstream);
      upstream.on("data", (bytes) => (line.cut ? socket.destroy() : socket.write(bytes)));
      socket.on("close", () => upstream.destroy());
    });
    const line = { graph: graphAt({ uri: `bolt://127.0.0.1:${port}` }), cut: false };
    return line;
  };

  it("does not know whether a commit happened when its answer is lost, and does not try again", async () => {
    const line = await deafLine();
    let tries = 0;
    const write = line.graph.shared.write(
      async (tx) => {
        tries++;
        await tx.run("RETURN 1", {});
        line.cut = true;
      },
      { timeoutMs: 10_000 },
    );
    await expect(write).rejects.toMatchObject({ code: "commit_unknown", status: 500 });
    expect(tries).toBe(1);
  });

  it("does not know it of a statement that commits itself either, and asks for the server before the next", async () => {
    const line = await deafLine();
    const label = scratchLabel();
    const write = () =>
      line.graph.shared.writeOnce(`CREATE (n:${label}) RETURN 1 AS one`, {}, { timeoutMs: 10_000 });
    expect(await write()).toEqual([{ one: 1 }]);
    line.cut = true;
    await expect(write()).rejects.toMatchObject({ code: "commit_unknown", status: 500 });
    await expect(write()).rejects.toMatchObject(unavailable);
    line.cut = false;
    const [found] = await line.graph.shared.writeOnce(
      `MATCH (n:${label}) DETACH DELETE n RETURN count(*) AS count`,
      {},
      { timeoutMs: 10_000 },
    );
    expect([1, 2]).toContain(found?.["count"]);
  });
});

import { randomBytes } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { connectGraph, type Graph } from "@ikg/graph";
import { keyRing } from "@ikg/secrets";
import { type Line, openLine } from "../../../stack/src/testing/line.ts";
import { openGraphRemovals } from "../src/graphs/removals.ts";
import {
  type Answer,
  type ConfigsUnderTest,
  freshName,
  type Made,
  required,
  startConfigs,
  type Tenant,
} from "./configs-under-test.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let second: Graph;
let line: Line;

const address = new URL(required("SECOND_NEO4J_URI"));
const username = required("SECOND_NEO4J_USERNAME");
const password = required("SECOND_NEO4J_PASSWORD");

beforeAll(async () => {
  configs = await startConfigs({ DB_ALLOW_CIDRS: "127.0.0.0/8", DB_ALLOW_HOSTS: "localhost" });
  tenant = await configs.tenant();
  second = connectGraph({ uri: address.href, username, password });
  line = await openLine({ host: address.hostname, port: Number(address.port) });
  // The first statements of a server that has just started take as long as an attempt may.
  await inSecond("CREATE CONSTRAINT warm IF NOT EXISTS FOR (n:Warm) REQUIRE n.key IS UNIQUE");
  await inSecond("DROP CONSTRAINT warm");
  for (const text of ["SHOW INDEXES", "CALL db.awaitIndexes(5)", "MERGE (n:Warm {key: 1})"])
    await inSecond(text);
}, 60_000);
afterAll(async () => {
  await configs.close();
  await second.close();
  await line.close();
});

const options = { timeoutMs: 80_000 };
const inSecond = (text: string, params: Record<string, unknown> = {}) =>
  second.shared.write((tx) => tx.run(text, params), options);
const inShared = (text: string, params: Record<string, unknown> = {}) =>
  configs.graph.shared.write((tx) => tx.run(text, params), options);

beforeEach(() => void (line.state = "through"));
// A claim outlives its project for a while; each test finds the second database as a new one.
const empty = () => inSecond("MATCH (n) DETACH DELETE n");
beforeEach(empty);
afterEach(empty);

const connection = (more: object = {}) => ({
  url: `bolt://127.0.0.1:${line.port}`,
  username,
  password,
  ...more,
});
const create = (db_connection: object): Promise<Made> =>
  tenant.make("/projects", { organization_id: tenant.organization, name: freshName(), db_connection });
const read = async (id: string): Promise<Answer["body"]> =>
  (await tenant.send("GET", `/projects/${id}`)).body;
const put = (id: string, db_connection: unknown): Promise<Answer> =>
  tenant.send("PUT", `/projects/${id}`, { db_connection });

/** Waits until `look` holds; the round over what is unfinished comes every 15 s. */
const eventually = async (look: () => Promise<unknown>, wanted: unknown): Promise<void> => {
  for (const until = Date.now() + 25_000; Date.now() < until; await wait(200))
    if (JSON.stringify(await look()) === JSON.stringify(wanted)) return;
  expect(await look()).toEqual(wanted);
};

describe("a project with its own database", () => {
  it("is ACTIVE when the answer comes, and nothing shows the password", async () => {
    const project = await create(connection());
    expect(project.body).toMatchObject({
      ikg_status: "ACTIVE",
      db_connection: { url: `bolt://127.0.0.1:${line.port}`, username },
    });
    expect(project.body).not.toHaveProperty("ikg_status_reason");
    await tenant.send("PUT", `/projects/${project.id}`, { display_name: "Another" });
    const texts = await Promise.all(
      [
        `/projects/${project.id}`,
        `/projects/${project.id}?version=1`,
        `/projects?organization_id=${tenant.organization}&full_fetch=true`,
      ].map(async (path) => (await tenant.send("GET", path)).text),
    );
    for (const text of texts) {
      expect(text).toContain(project.id);
      expect(text).not.toContain(password);
      expect(text).not.toContain('"password"');
    }
    const stored = await inShared("MATCH (n {id: $id}) RETURN properties(n) AS p", { id: project.id });
    expect(JSON.stringify(stored)).not.toContain(password);
    expect(await inSecond("MATCH (c:_Claim) RETURN c.owner AS owner")).toEqual([{ owner: project.id }]);
    const constraints = await inSecond("SHOW CONSTRAINTS YIELD name RETURN name ORDER BY name");
    expect(constraints.map((row) => row["name"])).toEqual([
      "ig_claim",
      "ig_import_chunk",
      "ig_import_rejection",
      "ig_node_id",
      "ig_node_key",
      "ig_project_names",
      "ig_trust_range",
    ]);
    const again = await tenant.send("GET", `/projects/${project.id}`);
    expect(again.body["ikg_status"]).toBe("ACTIVE");
  });

  it("may have constituents, each of which has to be usable", async () => {
    const spread = (theirs: object) =>
      connection({
        composite_db_name: "hospital",
        alias_mapping: "global=db1&east=db2",
        constituents: { db2: { ...connection(), ...theirs } },
      });
    const project = await create(spread({}));
    expect([project.body["ikg_status"], JSON.stringify(project.body).includes(password)]).toEqual([
      "ACTIVE",
      false,
    ]);
    await tenant.send("DELETE", `/projects/${project.id}`);
    await empty();
    const broken = await create(spread({ password: "wrong" }));
    expect(broken.body).toMatchObject({
      ikg_status: "FAILED",
      ikg_status_reason: expect.stringMatching(/^constituent db2: /),
    });
    const lacking = await tenant.send("POST", "/projects", {
      organization_id: tenant.organization,
      name: freshName(),
      db_connection: connection({
        composite_db_name: "hospital",
        alias_mapping: "global=db1&east=db2&west=db3",
        constituents: { db2: connection() },
      }),
    });
    expect([lacking.status, lacking.body["errors"]]).toEqual([
      422,
      ["db_connection.constituents.db3: required: it is in alias_mapping"],
    ]);
  });

  it("has an ETag that the next change may name", async () => {
    const project = await create(connection());
    const answer = await tenant.send(
      "PUT",
      `/projects/${project.id}`,
      { description: "own" },
      {
        "if-match": project.etag,
      },
    );
    expect([answer.status, answer.body["ikg_status"]]).toEqual([200, "ACTIVE"]);
  });

  it("is told when the database belongs to another project, whose data stays", async () => {
    await create(connection());
    await inSecond("CREATE (:_Node:_P {_key: '/Car/1', id: 'one'})");
    const other = await create(connection());
    expect(other.body).toMatchObject({
      ikg_status: "FAILED",
      ikg_status_reason: "the database belongs to another project",
    });
    expect((await tenant.send("DELETE", `/projects/${other.id}`)).status).toBe(200);
    await wait(500);
    expect(await inSecond("MATCH (n:_P) RETURN n.id AS id")).toEqual([{ id: "one" }]);
    expect(await inShared("MATCH (n:_GraphRemoval {project_id: $id}) RETURN n", { id: other.id })).toEqual(
      [],
    );
  });

  it("cannot have the shared database", async () => {
    const { body } = await create({
      url: required("NEO4J_URI"),
      username: required("NEO4J_USERNAME"),
      password: required("NEO4J_PASSWORD"),
    });
    expect(body).toMatchObject({
      ikg_status: "FAILED",
      ikg_status_reason: "the database belongs to another project",
    });
  });

  it.each([
    ["a wrong password", { password: "not-the-one" }, "the user name or the password is refused"],
    ["an unknown database", { name: "elsewhere" }, "there is no database of this name"],
    ["a closed port", { url: "bolt://127.0.0.1:1" }, "the server cannot be reached"],
    ["a host that is not allowed", { url: "bolt://10.1.2.3:7687" }, "the host is not allowed"],
    ["a name that looks internal", { url: "neo4j://graph.internal:7687" }, "the server cannot be reached"],
    ["an address of a cloud's own", { url: "bolt://169.254.169.254" }, "the host is not allowed"],
  ])("FAILED for %s, until a change puts it right", async (_what, wrong, reason) => {
    const project = await create(connection(wrong));
    expect(project.body).toMatchObject({ ikg_status: "FAILED", ikg_status_reason: reason });
    const better = await put(project.id, connection());
    expect([better.status, better.body["ikg_status"]]).toEqual([200, "ACTIVE"]);
    expect(better.body).not.toHaveProperty("ikg_status_reason");
    // Former states show the present state of the graph.
    const former = await tenant.send("GET", `/projects/${project.id}?version=1`);
    expect(former.body["ikg_status"]).toBe("ACTIVE");
    expect(former.body).not.toHaveProperty("ikg_status_reason");
  });

  it("is not waited for longer than ten seconds", async () => {
    const sockets: Socket[] = [];
    const silent: Server = createServer((socket) => void sockets.push(socket));
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const listening = silent.address();
    const port = typeof listening === "object" ? listening?.port : undefined;
    const begun = Date.now();
    const { body } = await create(connection({ url: `bolt://127.0.0.1:${port}` }));
    expect(body["ikg_status"]).toBe("FAILED");
    expect(Date.now() - begun).toBeLessThan(11_000);
    // The driver does not end a connection whose handshake was never answered.
    for (const socket of sockets) socket.destroy();
    silent.close();
  }, 30_000);

  it("is not interrupted by a change that names the same connection", async () => {
    const project = await create(connection());
    line.state = "reset";
    const answer = await put(project.id, connection());
    expect([answer.status, answer.body["ikg_status"]]).toEqual([200, "ACTIVE"]);
  });

  it("may get a new address", async () => {
    const project = await create(connection());
    const answer = await put(project.id, connection({ url: address.href }));
    expect(answer.body).toMatchObject({ ikg_status: "ACTIVE", db_connection: { url: address.href } });
  });

  it("keeps its connection unless another is named", async () => {
    const project = await create(connection());
    await tenant.send("PUT", `/projects/${project.id}`, { display_name: "Renamed" });
    expect(await read(project.id)).toMatchObject({ db_connection: { username }, ikg_status: "ACTIVE" });
    const answer = await put(project.id, null);
    expect(answer.body).toMatchObject({ db_connection: { username }, ikg_status: "ACTIVE" });
  });
});

describe("a project in the shared database", () => {
  it("may move as long as nothing of it is there", async () => {
    const project = await tenant.project();
    const answer = await put(project.id, connection());
    expect(answer.body["ikg_status"]).toBe("ACTIVE");
    const application = await tenant.make("/applications", { project_id: project.id, name: freshName() });
    expect(await inSecond("MATCH (n:_P:_Application:_Node) RETURN n.external_id AS id")).toEqual([
      { id: application.id },
    ]);
  });

  it("stays when it has nodes: 409, and nothing changes", async () => {
    const project = await tenant.project();
    await tenant.make("/applications", { project_id: project.id, name: freshName() });
    const before = await tenant.send("GET", `/projects/${project.id}`);
    const answer = await put(project.id, connection());
    expect([answer.status, answer.body.errors]).toEqual([
      409,
      ["db_connection: the project has applications or data in the shared database"],
    ]);
    const after = await tenant.send("GET", `/projects/${project.id}`);
    expect([after.text, after.headers.get("etag")]).toEqual([before.text, before.headers.get("etag")]);
    expect(await inSecond("MATCH (n) RETURN n")).toEqual([]);
  });
});

describe("system nodes in a database of its own", () => {
  const found = async (): Promise<unknown> =>
    inSecond(
      "MATCH (n:_Node:_P) WHERE n:_Application OR n:_AppAgent OPTIONAL MATCH (n)-[r:_BELONGS_TO]->(o:_Application) " +
        "RETURN n._key AS key, n.display_name AS name, n.type AS type, o._key AS owner ORDER BY type DESC, key",
    );

  it("come with their records, are renamed, and go with them", async () => {
    const project = await create(connection());
    const application = await tenant.make("/applications", { project_id: project.id, name: freshName() });
    const agent = await tenant.make("/application-agents", {
      application_id: application.id,
      name: freshName(),
      api_permissions: ["Capture"],
    });
    const owner = `/_Application/${application.id}`;
    expect(await found()).toEqual([
      { key: owner, name: application.name, type: "_Application", owner: null },
      { key: `/_AppAgent/${agent.id}`, name: agent.name, type: "_AppAgent", owner },
    ]);
    await tenant.send("PUT", `/applications/${application.id}`, { display_name: "Renamed" });
    expect(await found()).toMatchObject([{ name: "Renamed" }, { name: agent.name }]);
    await tenant.send("DELETE", `/application-agents/${agent.id}`);
    expect(await found()).toMatchObject([{ key: owner }]);
    await tenant.send("DELETE", `/applications/${application.id}`);
    expect(await found()).toEqual([]);
    expect(await inShared("MATCH (n:_Node {external_id: $id}) RETURN n", { id: application.id })).toEqual([]);
  });

  it("are made as soon as a database that was away is back", async () => {
    const project = await create(connection());
    line.state = "reset";
    const application = await tenant.make("/applications", { project_id: project.id, name: freshName() });
    expect(await found()).toEqual([]);
    line.state = "through";
    await eventually(found, [
      { key: `/_Application/${application.id}`, name: application.name, type: "_Application", owner: null },
    ]);
    await eventually(
      () => inShared("MATCH (p:_GraphBehind {id: $id}) RETURN p.id AS id", { id: project.id }),
      [],
    );
  }, 60_000);

  it("of a FAILED project are made when it becomes ACTIVE", async () => {
    const project = await create(connection({ password: "wrong" }));
    const application = await tenant.make("/applications", { project_id: project.id, name: freshName() });
    expect((await put(project.id, connection())).body["ikg_status"]).toBe("ACTIVE");
    expect(await found()).toMatchObject([{ key: `/_Application/${application.id}` }]);
  });
});

describe("after a crash", () => {
  it("an attempt that nobody goes on with is begun again", async () => {
    const project = await create(connection({ password: "wrong" }));
    await put(project.id, connection());
    await inSecond("MATCH (n) DETACH DELETE n");
    // What a process leaves that ended in the middle of its attempt.
    await inShared(
      "MATCH (p:_Record {id: $id}) SET p.ikg_status = 'PENDING', p.graph_attempt = $attempt, p:_GraphBehind",
      { id: project.id, attempt: `${new Date(Date.now() - 60_000).toISOString()}/gone` },
    );
    expect((await read(project.id))["ikg_status"]).toBe("PENDING");
    const state = async () => {
      const { ikg_status: status, ikg_status_reason: reason } = await read(project.id);
      return { status, reason };
    };
    await eventually(state, { status: "ACTIVE", reason: undefined });
    expect(await inSecond("MATCH (c:_Claim) RETURN c.owner AS owner")).toEqual([{ owner: project.id }]);
  }, 60_000);
});

describe("the graph of a deleted project", () => {
  it("goes, and the database is free for the next one", async () => {
    const project = await create(connection());
    await tenant.make("/applications", { project_id: project.id, name: freshName() });
    await inSecond("UNWIND range(1, 2500) AS i CREATE (:_Node:_P {_key: '/Car/' + i, id: 'car' + i})");
    await inSecond("CREATE (:Foreign {name: 'not ours'})");
    expect((await tenant.send("DELETE", `/projects/${project.id}`)).status).toBe(200);
    await eventually(() => inSecond("MATCH (n:_P) RETURN n.id LIMIT 1"), []);
    expect(await inSecond("MATCH (n:Foreign) RETURN n.name AS name")).toEqual([{ name: "not ours" }]);
    // Claimed for as long as another process may still write.
    expect((await create(connection())).body["ikg_status"]).toBe("FAILED");

    const graph = connectedFor();
    const removals = openGraphRemovals({
      graph,
      keys: keyRing(Buffer.from(configs.environment["CONFIG_ENCRYPTION_KEY"] ?? "", "base64"), []),
      log: { info: () => 0, warn: () => 0 },
      graceMs: 100,
    });
    await removals.resume();
    await eventually(() => inSecond("MATCH (c:_Claim) RETURN c.owner"), []);
    await removals.close();
    await graph.close();
    expect((await create(connection())).body["ikg_status"]).toBe("ACTIVE");
  }, 60_000);

  it("goes later when the database is away", async () => {
    const project = await create(connection());
    await inSecond("CREATE (:_Node:_P {_key: '/Car/1', id: 'one'})");
    line.state = "reset";
    expect((await tenant.send("DELETE", `/projects/${project.id}`)).status).toBe(200);
    expect((await tenant.send("GET", `/projects/${project.id}`)).status).toBe(404);
    expect(await inSecond("MATCH (n:_P) RETURN n.id AS id")).toEqual([{ id: "one" }]);
    line.state = "through";
    await eventually(() => inSecond("MATCH (n:_P) RETURN n.id AS id"), []);
  }, 60_000);
});

/** Another process of the same deployment. */
const connectedFor = (): Graph =>
  connectGraph(
    {
      uri: required("NEO4J_URI"),
      username: required("NEO4J_USERNAME"),
      password: required("NEO4J_PASSWORD"),
    },
    {},
    (host) => Promise.resolve(host),
  );

describe("the connection of a project", () => {
  it("that no key opens is never replaced by the shared database", async () => {
    const project = await create(connection());
    const other = await startConfigs({
      DB_ALLOW_CIDRS: "127.0.0.0/8",
      INTERNAL_CONTEXT_KEY: configs.environment["INTERNAL_CONTEXT_KEY"] ?? "",
      CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    });
    const application = await tenant.at(other.url).send("POST", "/applications", {
      project_id: project.id,
      name: freshName(),
    });
    expect(application.status).toBe(201);
    const id = application.body["id"];
    expect(await inShared("MATCH (n:_Node {external_id: $id}) RETURN n", { id })).toEqual([]);
    await eventually(() => inSecond("MATCH (n:_Application) RETURN n.external_id AS id"), [{ id }]);
    await other.close();
  }, 60_000);
});

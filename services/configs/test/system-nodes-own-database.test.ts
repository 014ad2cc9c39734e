import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import { type KeyRing, keyRing, seal } from "@ikg/secrets";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { openGraphRemovals } from "../src/graphs/removals.ts";
import { connectionPlace } from "../src/records/connection.ts";
import { startConfigs } from "./configs-under-test.ts";
import { freshName } from "./tenant.ts";
import {
  useSecondDatabase,
  configs,
  tenant,
  proxy,
  inSecond,
  inShared,
  connection,
  create,
  read,
  put,
} from "./second-database.ts";

useSecondDatabase();

/** Another process of the same deployment. */
const connectedFor = (settings: { readonly ownSchemaAgeMs?: number } = {}): Graph =>
  connectGraph(
    {
      ...neo4jOfTests(),
      ...settings,
    },
    {},
    (host) => Promise.resolve(host),
  );

const keysOfConfigs = (): KeyRing =>
  keyRing(Buffer.from(configs.environment["CONFIG_ENCRYPTION_KEY"] ?? "", "base64"), []);

/** Waits until `look` returns this; the round over what is unfinished comes every 15 s. */
const untilEqual = (look: () => Promise<unknown>, expected: unknown): Promise<unknown> =>
  eventually(look, (found) => JSON.stringify(found) === JSON.stringify(expected), {
    withinMs: 25_000,
    everyMs: 200,
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

  it("are made as soon as a database that was unavailable is back", async () => {
    const project = await create(connection());
    proxy.state = "reset";
    const application = await tenant.make("/applications", { project_id: project.id, name: freshName() });
    expect(await found()).toEqual([]);
    proxy.state = "through";
    await untilEqual(found, [
      { key: `/_Application/${application.id}`, name: application.name, type: "_Application", owner: null },
    ]);
    await untilEqual(
      () => inShared("MATCH (p:_GraphBehind {id: $id}) RETURN p.id AS id", { id: project.id }),
      [],
    );
  }, 60_000);

  it("follow in a deployment that was restored to a moment before the last change there", async () => {
    const project = await create(connection());
    await inSecond("MATCH (c:_Claim) SET c.generation = 100");
    const application = await tenant.make("/applications", { project_id: project.id, name: freshName() });
    expect(await found()).toMatchObject([{ key: `/_Application/${application.id}` }]);
    expect(await inShared("MATCH (p:_GraphBehind {id: $id}) RETURN p.id AS id", { id: project.id })).toEqual(
      [],
    );
  });

  it("of a FAILED project are made when it becomes ACTIVE", async () => {
    const project = await create(connection({ password: "wrong" }));
    const application = await tenant.make("/applications", { project_id: project.id, name: freshName() });
    expect((await put(project.id, connection())).body["ikg_status"]).toBe("ACTIVE");
    expect(await found()).toMatchObject([{ key: `/_Application/${application.id}` }]);
  });
});

describe("after a crash", () => {
  it("an abandoned attempt is started again", async () => {
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
    await untilEqual(state, { status: "ACTIVE", reason: undefined });
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
    await untilEqual(() => inSecond("MATCH (n:_P) RETURN n.id LIMIT 1"), []);
    expect(await inSecond("MATCH (n:Foreign) RETURN n.name AS name")).toEqual([{ name: "not ours" }]);
    // Claimed for as long as another process may still write.
    expect((await create(connection())).body["ikg_status"]).toBe("FAILED");

    const graph = connectedFor();
    const removals = openGraphRemovals({
      graph,
      keys: keysOfConfigs(),
      log: { info: () => 0, warn: () => 0 },
      graceMs: 100,
    });
    // A call begins some of the removals, in any order; tests leave others.
    await untilEqual(async () => {
      await removals.resume();
      return inSecond("MATCH (c:_Claim) RETURN c.owner");
    }, []);
    await removals.close();
    await graph.close();
    expect((await create(connection())).body["ikg_status"]).toBe("ACTIVE");
  }, 60_000);

  it("stays while its data is of a schema version that this build does not understand", async () => {
    // A note and a claim alone: a process keeps the version of a database that it has used for a minute.
    const id = newGid("project");
    await inSecond(
      "CREATE (:_Claim {key: 'database', owner: $id, schema_version: 7, schema_readable_from: 6}), " +
        "(:_Node:_P {_key: '/Car/1', id: 'one'})",
      { id },
    );
    const keys = keysOfConfigs();
    await inShared("CREATE (:_GraphRemoval {project_id: $id, connection: $sealed})", {
      id,
      sealed: seal(keys, connectionPlace(id), JSON.stringify(connection())),
    });
    const ownSchemaAgeMs = 300;
    const graph = connectedFor({ ownSchemaAgeMs });
    const failures: unknown[] = [];
    const removals = openGraphRemovals({
      graph,
      keys,
      log: {
        info: () => 0,
        warn: (_line, fields) => {
          if (fields?.["project"] === id) failures.push(fields["error"]);
        },
      },
      graceMs: 100,
    });
    const notes = async () => {
      await removals.resume();
      return inShared("MATCH (n:_GraphRemoval {project_id: $id}) RETURN n.project_id AS id", { id });
    };
    await untilEqual(async () => (await notes()).length === 1 && failures.length > 0, true);
    const reason = expect.stringMatching(/has schema version 7, .* run the release that upgraded the data/);
    expect(failures[0]).toMatchObject({ code: "unavailable", errors: [reason] });
    expect(await inSecond("MATCH (n:_P) RETURN n.id AS id")).toEqual([{ id: "one" }]);
    expect(await notes()).toEqual([{ id }]);

    await inSecond("MATCH (c:_Claim) SET c.schema_version = 1, c.schema_readable_from = 0");
    await wait(ownSchemaAgeMs);
    await untilEqual(notes, []);
    expect(await inSecond("MATCH (n) RETURN labels(n)")).toEqual([]);
    await removals.close();
    await graph.close();
  }, 60_000);

  it("goes later when the database is unavailable", async () => {
    const project = await create(connection());
    await inSecond("CREATE (:_Node:_P {_key: '/Car/1', id: 'one'})");
    proxy.state = "reset";
    expect((await tenant.send("DELETE", `/projects/${project.id}`)).status).toBe(200);
    expect((await tenant.send("GET", `/projects/${project.id}`)).status).toBe(404);
    expect(await inSecond("MATCH (n:_P) RETURN n.id AS id")).toEqual([{ id: "one" }]);
    proxy.state = "through";
    await untilEqual(() => inSecond("MATCH (n:_P) RETURN n.id AS id"), []);
  }, 60_000);
});

describe("the connection of a project", () => {
  it("that no key opens is never replaced by the shared database", async () => {
    const project = await create(connection());
    const other = await startConfigs({
      DB_ALLOW_CIDRS: "127.0.0.0/8",
      CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    });
    const application = await tenant.at(other.url).send("POST", "/applications", {
      project_id: project.id,
      name: freshName(),
    });
    expect(application.status).toBe(201);
    const id = application.body["id"];
    expect(await inShared("MATCH (n:_Node {external_id: $id}) RETURN n", { id })).toEqual([]);
    await untilEqual(() => inSecond("MATCH (n:_Application) RETURN n.external_id AS id"), [{ id }]);
    await other.close();
  }, 60_000);
});

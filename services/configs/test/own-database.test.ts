import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { Validation } from "@ikg/contracts";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { kbacText } from "./policy-texts.ts";
import { freshName } from "./tenant.ts";
import {
  useSecondDatabase,
  tenant,
  proxy,
  address,
  username,
  password,
  inSecond,
  inShared,
  empty,
  connection,
  create,
  read,
  put,
} from "./second-database.ts";

useSecondDatabase();

describe("a project with its own database", () => {
  it("is ACTIVE when the answer comes, and nothing shows the password", async () => {
    const project = await create(connection());
    expect(project.body).toMatchObject({
      ikg_status: "ACTIVE",
      db_connection: { url: `bolt://127.0.0.1:${proxy.port}`, username },
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

  it("fails with the reason when the database belongs to another project, whose data stays", async () => {
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

  it("previews nothing on a database that belongs to another project", async () => {
    await create(connection());
    const other = await create(connection());
    const { body } = await tenant.send("POST", "/authorization-policies/validate", {
      project_id: other.id,
      name: "tried",
      status: "ACTIVE",
      policy: kbacText(),
      preview: true,
      sample: { subject: { id: "ann" }, resource: { id: "one" } },
    });
    const statements = body["statements"] as NonNullable<Validation["statements"]>; // as the contract says
    expect(statements.map(({ reason, plan, rows }) => [reason, plan, rows])).toEqual(
      Array.from({ length: 3 }, () => ["the project has no active graph", undefined, undefined]),
    );
  });

  it("cannot have the shared database", async () => {
    const { uri, username, password } = neo4jOfTests();
    const { body } = await create({ url: uri, username, password });
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

  it("FAILED while the version of its data is not understood, and nothing is written there", async () => {
    const claim = "CREATE (:_Claim {key: 'database', schema_version: 7, schema_readable_from: 6})";
    await inSecond(claim);
    await inSecond("DROP CONSTRAINT ig_trust_range IF EXISTS");
    const project = await create(connection());
    expect(project.body).toMatchObject({
      ikg_status: "FAILED",
      ikg_status_reason:
        "the data has schema version 7, which requires a release that supports version 6 or later; this release supports schema versions 0 to 1: run the release that upgraded the data or a later one, see docs/upgrading.md",
    });
    expect(await inSecond("SHOW CONSTRAINTS YIELD name WHERE name = 'ig_trust_range' RETURN name")).toEqual(
      [],
    );
    expect(await inSecond("MATCH (c:_Claim) RETURN c.owner AS owner")).toEqual([{ owner: null }]);
    await inSecond("MATCH (c:_Claim) SET c.owner = $id, c.schema_version = 1, c.schema_readable_from = 0", {
      id: project.id,
    });
    expect((await put(project.id, connection())).body["ikg_status"]).toBe("ACTIVE");
  });

  it("is ACTIVE with data of an older version, which is migrated later", async () => {
    await inSecond("CREATE (:_Claim {key: 'database', schema_version: -1, schema_readable_from: -1})");
    const project = await create(connection());
    expect(project.body["ikg_status_reason"]).toContain("another project");
    await inSecond("MATCH (c:_Claim) SET c.owner = $id", { id: project.id });
    expect((await put(project.id, connection())).body["ikg_status"]).toBe("ACTIVE");
    expect(await inSecond("MATCH (c:_Claim) RETURN c.schema_version AS version")).toEqual([{ version: -1 }]);
  });

  it("FAILED while the version of its data is no whole number", async () => {
    await inSecond("CREATE (:_Claim {key: 'database', schema_version: 'one'})");
    expect((await create(connection())).body).toMatchObject({
      ikg_status: "FAILED",
      ikg_status_reason: expect.stringMatching(/^the schema version of the data is not a whole number; /),
    });
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
    proxy.state = "reset";
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

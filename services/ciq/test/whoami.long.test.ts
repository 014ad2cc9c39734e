import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { type CiqProcess, startCiqProcess, tokenIssuer } from "./ciq-process.ts";
import { openTestGraph } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";

let graph: Graph;
let ciq: CiqProcess;
let project: StoredProject;
let waiting: StoredProject;
const nurses = tokenIssuer();
const guests = tokenIssuer();
const strangers = tokenIssuer();

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  project = await storeProject(graph);
  waiting = await storeProject(graph, "PROVISIONING");
  await project.introspect(nurses.introspect());
  await project.introspect(guests.introspect({ ikg_node_type: "Guest", sub_claim: { selector: "uid" } }));
  ciq = await startCiqProcess();
});
afterAll(async () => {
  await ciq.end();
  await project.remove();
  await waiting.remove();
  await graph.close();
});

const path = "/ciq/v1/whoami";

describe("GET /ciq/v1/whoami", () => {
  it("tells type and id by the configuration that judges the token, whether its node is there or not", async () => {
    const bearer = nurses.sign({ sub: "n1", name: "Ada" });
    expect(await ciq.send(project, path, { bearer })).toMatchObject({
      status: 200,
      body: { type: "Nurse", id: "n1" },
    });
    const guest = await ciq.send(project, path, { bearer: guests.sign({ sub: "else", uid: "g1" }) });
    expect([guest.status, guest.body]).toEqual([200, { type: "Guest", id: "g1" }]);
  });

  it("is 401 without a bearer and with one of an unknown issuer", async () => {
    const none = await ciq.send(project, path);
    expect([none.status, none.body, none.headers.get("www-authenticate")]).toEqual([
      401,
      { message: "bearer token required" },
      'Bearer realm="ciq"',
    ]);
    const bad: readonly (readonly [bearer: string, reason: string])[] = [
      [strangers.sign({ sub: "n1" }), "no configuration matches"],
      [nurses.sign({ sub: "n1", exp: 1 }), "expired"],
      [guests.sign({ sub: "g1" }), "subject claim must be a string of 1 to 256 characters"],
    ];
    for (const [bearer, reason] of bad) {
      const { status, body, headers } = await ciq.send(project, path, { bearer });
      expect([status, body, headers.get("www-authenticate")]).toEqual([
        401,
        { message: `bearer token not valid: ${reason}` },
        `Bearer error="invalid_token", error_description="${reason}"`,
      ]);
    }
  });

  it("is 403 without ContXIQ, whatever the bearer, and 404 without an active graph", async () => {
    const bearer = nurses.sign({ sub: "n1" });
    expect(await ciq.send(project, path, { permissions: ["Authorization"] })).toMatchObject({
      status: 403,
      body: { message: "permission missing: ContXIQ" },
    });
    expect(await ciq.send(waiting, path, { bearer })).toMatchObject({
      status: 404,
      body: { message: "Not Found", errors: ["project: the project has no active graph"] },
    });
    expect((await ciq.send(waiting, path)).status).toBe(401);
  });

  it("is a GET alone", async () => {
    const { status, headers } = await ciq.send(project, path, { json: {} });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runIkg } from "../../../test/command-environment.ts";

const policy = (hours: number): string =>
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Pilot" },
    actions: ["FLY"],
    resource: { type: "Aircraft" },
    condition: { cypher: `MATCH (subject)-[:OWNS]->(resource)\nWHERE subject.property.hours > ${hours}` },
  });

/** 450 policies and 50 applications. */
const exported = {
  project_id: "gid:p",
  changes: Array.from({ length: 450 }, (_, at) => ({
    op: "put",
    collection: "authorization-policies",
    name: `policy-${at}`,
    record: { policy: policy(at), status: "ACTIVE", tags: ["a"] },
  })),
  records: Array.from({ length: 50 }, (_, at) => ({
    collection: "applications",
    name: `application-${at}`,
    record: { description: "one of many" },
  })),
  secrets: [],
};

let cwd: string;
let server: Server;
let requests: string[];
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), "ikg-plan-"));
  requests = [];
  server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(exported));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(cwd, { recursive: true, force: true });
});

const ikg = (...args: string[]) => {
  const { port } = server.address() as AddressInfo; // it listens
  const variables = {
    IKG_URL: `http://127.0.0.1:${port}`,
    IKG_TOKEN: "t",
    IKG_PROJECT: "gid:p",
    XDG_STATE_HOME: join(cwd, "state"),
  };
  return runIkg(args, { cwd, variables });
};

describe("500 records without changes", () => {
  it("take one request, and no simulation", async () => {
    await ikg("pull", "files");
    for (const args of [
      ["plan", "files", "--prune", "--exit-code"],
      ["apply", "files", "--prune", "--yes"],
    ]) {
      requests = [];
      expect(await ikg(...args)).toEqual({ code: 0, output: "Nothing to change.\n", errors: "" });
      expect(requests).toEqual(["GET /configs/v1/export?project_id=gid%3Ap"]);
    }
  });
});

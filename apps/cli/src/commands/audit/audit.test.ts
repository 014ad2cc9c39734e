import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runIkg } from "../../../test/command-environment.ts";

/** A deployment that answers every request with one status, and keeps the requests. */
let deployment: Server;
let url: string;
let answer: { status: number; content: object };
let requests: { path: string; headers: IncomingHttpHeaders }[];
/** Requests of a chain that are answered with 503 before there is another answer. */
let busy: number;
let folder: string;
const gid = "gid:AAAAAgGiGGbkJX8ukrqeaDl9Qws";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ikg-audit-"));
  deployment = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push({ path, headers: request.headers });
    const isProject = path.startsWith("/configs/v1/projects");
    const isKeys = path.startsWith("/audit/.well-known/jwks.json");
    const content = isProject ? { id: gid, name: "acme", data: [{ id: gid, name: "acme" }] } : { keys: [] };
    const isBusy = path.startsWith("/audit/v1/") && busy-- > 0;
    const status = isBusy ? 503 : isProject || isKeys ? 200 : answer.status;
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(isProject || isKeys ? content : answer.content));
  });
  deployment.listen(0, "127.0.0.1");
  await once(deployment, "listening");
  url = `http://127.0.0.1:${(deployment.address() as AddressInfo).port}`; // of TCP
});
afterAll(() => {
  deployment?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  [requests, busy] = [[], 0];
  answer = { status: 200, content: { items: [], has_more: false, next_cursor: "" } };
});

const run = (out: string, variables: Record<string, string>) =>
  runIkg(["audit", "export", "--out", join(folder, out)], { variables: { IKG_URL: url, ...variables } });
const sent = () => requests.filter(({ path }) => path.startsWith("/audit/v1/")).map(({ headers }) => headers);

it("the token of an administrator goes before the key of an agent", async () => {
  const key = { IKG_CLIENT_KEY: "key", IKG_PROJECT: gid };
  expect((await run("both", { ...key, IKG_TOKEN: "token" })).code).toBe(0);
  expect(sent().length).toBeGreaterThan(0);
  for (const headers of sent())
    expect([headers.authorization, headers["x-svc-clientkey"]]).toEqual(["Bearer token", undefined]);
  requests = [];
  expect((await run("key", key)).code).toBe(0);
  expect(sent()[0]).toMatchObject({ "x-svc-clientkey": "key" });
});

it("a project is named as for other commands, by a key by its gid", async () => {
  expect((await run("named", { IKG_TOKEN: "token", IKG_PROJECT: "acme" })).code).toBe(0);
  const path = requests.map((each) => each.path).find((each) => each.startsWith("/audit/v1/"));
  expect(path).toContain(encodeURIComponent(gid));
  const { code, errors } = await run("key-named", { IKG_CLIENT_KEY: "key", IKG_PROJECT: "acme" });
  expect([code, errors]).toEqual([2, expect.stringContaining("acme is a name")]);
});

it("a refused export leaves no file", async () => {
  answer = { status: 403, content: { message: "permission missing: Audit" } };
  const { code, errors } = await run("refused", { IKG_CLIENT_KEY: "key", IKG_PROJECT: gid });
  expect([code, errors]).toEqual([2, expect.stringContaining("permission missing: Audit")]);
  expect(readdirSync(join(folder, "refused"))).toEqual([]);
  answer = { status: 200, content: { items: [], has_more: false, next_cursor: "" } };
  expect((await run("refused", { IKG_CLIENT_KEY: "key", IKG_PROJECT: gid })).code).toBe(0);
});

it("a page is requested again after a passing failure", async () => {
  busy = 2;
  expect((await run("busy", { IKG_CLIENT_KEY: "key", IKG_PROJECT: gid })).code).toBe(0);
  // Manifests and checkpoints, then batches.
  expect(sent()).toHaveLength(3 + 2);
});

it("an existing export is not overwritten", async () => {
  const key = { IKG_CLIENT_KEY: "key", IKG_PROJECT: gid };
  expect((await run("kept", key)).code).toBe(0);
  const { code, errors } = await run("kept", key);
  expect([code, errors]).toEqual([2, expect.stringMatching(/kept cannot be written: EEXIST/)]);
});

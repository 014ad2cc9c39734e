import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { openSuite, type Suite } from "./suite.ts";

let server: Server;
let suite: Suite;
/** Requests whose connection breaks before there is a response. */
let lost: number;
let requests: string[];
/** `If-Match` of each request. */
let preconditions: (string | undefined)[];

beforeEach(async () => {
  [lost, requests, preconditions] = [0, [], []];
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    preconditions.push(request.headers["if-match"]);
    request.resume();
    if (lost-- > 0) request.socket.destroy();
    else if (request.url === "/moved") response.writeHead(307, { Location: "/elsewhere" }).end();
    else response.writeHead(200, { "Content-Type": "application/json" }).end('{"fine":true}');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // it listens
  suite = openSuite({ url: `http://127.0.0.1:${port}`, token: "t" });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const isAnswered = async (method: string, path: string): Promise<boolean> =>
  suite.send(method, path, {}, method === "GET" ? undefined : {}).then(
    ({ status }) => status === 200,
    () => false,
  );

describe("a connection that is lost", () => {
  it("is no end of what only reads, or may be done twice", async () => {
    await isAnswered("GET", "/first");
    for (const [method, path] of [
      ["GET", "/configs/v1/projects"],
      ["DELETE", "/configs/v1/projects/p"],
      ["POST", "/access/v1/evaluation"],
      ["POST", "/capture/v1/nodes"],
    ] as const) {
      [lost, requests] = [2, []];
      expect(await isAnswered(method, path)).toBe(true);
      expect(requests).toHaveLength(3);
    }
  });

  it("ends what creates a record, or may write", async () => {
    await isAnswered("GET", "/first");
    for (const path of ["/configs/v1/projects", "/ciq/v1/execute"]) {
      [lost, requests] = [1, []];
      expect(await isAnswered("POST", path)).toBe(false);
      expect(requests).toHaveLength(1);
    }
  });

  it("ends every call to a suite that has never answered", async () => {
    lost = 1;
    expect(await isAnswered("GET", "/configs/v1/projects")).toBe(false);
    expect(requests).toHaveLength(1);
  });
});

describe("a redirect", () => {
  it("is not followed", async () => {
    expect((await suite.send("GET", "/moved", {})).status).toBe(307);
    expect(requests).toEqual(["GET /moved"]);
  });
});

describe("a write of a record", () => {
  it("is in any state of it, also where If-Match is required", async () => {
    await suite.configs("PUT", "/projects/p", {});
    await suite.configs("DELETE", "/projects/p");
    await suite.configs("POST", "/projects", {});
    await suite.configs("GET", "/projects");
    expect(preconditions).toEqual(["*", "*", undefined, undefined]);
  });
});

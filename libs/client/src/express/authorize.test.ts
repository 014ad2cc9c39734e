import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import express from "express";
import { answer, type Behaviour, closeServers, refuse, TestServer } from "../../test/server.ts";
import { Ikg } from "../ikg.ts";
import { authorize } from "./index.ts";

const servers = new Set<Server>();

afterEach(async () => {
  await closeServers();
  for (const server of servers) server.close();
  servers.clear();
});

/** An application with one guarded route, whose callers name themselves by a header. */
const applicationOf = async ({
  baseUrl,
}: TestServer): Promise<(path: string, user?: string) => Promise<Response>> => {
  const ikg = new Ikg({ baseUrl, clientKey: "k", timeoutMs: 300 });
  const guard = authorize("READ", (request) => ({ type: "Document", id: request.params["id"] }), {
    subject: ({ headers }) =>
      typeof headers["x-user"] === "string" ? ikg.as({ type: "Person", id: headers["x-user"] }) : undefined,
    decide: ({ query }) => ({ params: { level: query["level"] } }),
  });
  const app = express();
  const file = (request: { params: Record<string, string | string[]> }) => ({
    type: "File",
    id: request.params["path"],
  });
  const subject = () => ikg.as({ type: "Person", id: "ann" });
  app.get(
    "/files/*path",
    authorize<express.Request>("READ", file, { subject }),
    (_request, response) => void response.json({}),
  );
  app.get("/documents/:id", guard, (request, response) => void response.json({ read: request.params.id }));
  app.use(
    (error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) =>
      void response.status(503).json({ message: error.name }),
  );
  const server = app.listen(0, "127.0.0.1");
  servers.add(server);
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo; // it listens
  return (path, user) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: user === undefined ? {} : { "x-user": user } });
};

const start = async (behaviour: Behaviour) => {
  const server = await TestServer.start(behaviour);
  return { server, get: await applicationOf(server) };
};

describe("authorize", () => {
  it("lets pass what is granted", async () => {
    const { server, get } = await start(answer(200, { decision: true }));
    const response = await get("/documents/d1?level=2", "ann");
    expect([response.status, await response.json()]).toEqual([200, { read: "d1" }]);
    expect(server.received[0]?.json).toEqual({
      subject: { type: "Person", id: "ann" },
      action: { name: "READ" },
      resource: { type: "Document", id: "d1" },
      context: { input_params: { level: "2" } },
    });
  });

  it("asks about the path of a wildcard as one id", async () => {
    const { server, get } = await start(answer(200, { decision: true }));
    expect((await get("/files/plans/2026/a.txt")).status).toBe(200);
    expect(server.received[0]?.json).toMatchObject({ resource: { type: "File", id: "plans/2026/a.txt" } });
  });

  it("answers a denial with 403", async () => {
    const { get } = await start(answer(200, { decision: false }));
    const response = await get("/documents/d1", "ann");
    expect([response.status, await response.json()]).toEqual([403, { message: "Forbidden" }]);
    expect(response.headers.get("www-authenticate")).toBe(null);
  });

  it("answers a denial that a stronger sign-in could change with 401 and the challenge", async () => {
    const advice = [{ error: "insufficient_scope", scope: "documents:read" }];
    const { get } = await start(answer(200, { decision: false, context: { reason: "x", advice } }));
    const response = await get("/documents/d1", "ann");
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_scope", scope="documents:read"',
    );
  });

  it("passes on the challenge of an error", async () => {
    const challenge = 'Bearer error="insufficient_user_authentication", max_age="300"';
    const { get } = await start(refuse(401, "again", { "WWW-Authenticate": challenge }));
    const response = await get("/documents/d1", "ann");
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, challenge]);
  });

  it("answers who has not signed in with 401, and asks nothing", async () => {
    const { server, get } = await start(answer(200, { decision: true }));
    const response = await get("/documents/d1");
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(server.received).toHaveLength(0);
  });

  it("never lets pass what could not be decided", async () => {
    for (const behaviour of [
      refuse(503, "x"),
      refuse(422, "x"),
      answer(200, "{}"),
      answer(200, "<html>"),
      answer(200, { decision: "true" }),
    ]) {
      const { get } = await start(behaviour);
      expect((await get("/documents/d1", "ann")).status).toBe(503);
    }
  });
});

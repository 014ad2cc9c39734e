import { request } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { environment } from "../../src/environment.ts";
import { cars, other, ann, session, useMcpServers } from "../../src/fixtures/mcp-servers.ts";
import {
  callMcp,
  initialize,
  legacyCall,
  mcpPath,
  modernCall,
  openSession,
  type RpcAnswer,
} from "../../src/mcp/mcp.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { sendRaw } from "../../src/requests/send-raw.ts";
import { send } from "../../src/requests/send.ts";
import { takeEffect } from "../../src/take-effect.ts";
import { onThisMachine } from "../../src/test-host.ts";

useMcpServers();

/** The status of a request that names another host: a page whose name was made to lead here. */
const underName = (Host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const address = new URL(`${environment().base_url}${mcpPath(cars.projectId)}`);
    const clientRequest = request(address, {
      method: "DELETE",
      headers: { Host, Authorization: `Bearer ${ann}` },
    });
    clientRequest.once("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    clientRequest.once("error", reject);
    clientRequest.end();
  });

describe("both revisions", () => {
  const metadataPath = () => `/.well-known/oauth-protected-resource${mcpPath(cars.projectId)}`;

  it("refuse foreign origins, and foreign names of this machine", async () => {
    const from = async (headers: Record<string, string>) =>
      (await callMcp(cars.projectId, initialize(), { token: ann, headers })).status;
    for (const Origin of ["https://evil.example", "null", "nonsense"])
      expect(await from({ Origin })).toBe(403);
    expect(await from({ Origin: "http://localhost:6274" })).toBe(200);
    const own = await callMcp(cars.projectId, initialize(), {
      token: ann,
      headers: { Origin: "http://localhost:6274" },
    });
    expect(own.headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
    expect(own.headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
    // A service that listens for other machines too stands behind names of its operator's, which it cannot know.
    const fits = await underName(new URL(environment().base_url).host);
    expect(await underName("evil.example")).toBe(onThisMachine() ? 403 : fits);
    expect(fits).not.toBe(403);
  });

  it("tell a page that may call what it may send, before it has a token", async () => {
    const ask = (Origin: string) =>
      send(mcpPath(cars.projectId), {
        method: "OPTIONS",
        headers: { Origin, "Access-Control-Request-Method": "POST" },
      });
    const may = await ask("http://localhost:6274");
    expect([may.status, may.headers.get("access-control-allow-headers")]).toEqual([
      204,
      expect.stringMatching(/Authorization.*MCP-Protocol-Version.*Mcp-Session-Id/),
    ]);
    expect((await ask("https://evil.example")).status).toBe(403);
    const document = await send(metadataPath(), {
      method: "OPTIONS",
      headers: { Origin: "https://any.example" },
    });
    expect([document.status, document.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  });

  it("want a token, and say where to get one", async () => {
    const none = await callMcp(cars.projectId, initialize());
    expect(none.status).toBe(401);
    const challenge = none.headers.get("www-authenticate") ?? "";
    expect(challenge).toBe(
      `Bearer resource_metadata="${environment().base_url}${metadataPath()}", scope="cars people"`,
    );
    const url = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
    const document = await fetch(url);
    expect([document.status, document.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const metadata = await document.json();
    expect(metadata).toEqual({
      resource: `${environment().base_url}${mcpPath(cars.projectId)}`,
      authorization_servers: [cars.issuer.issuer],
      scopes_supported: ["cars", "people"],
      bearer_methods_supported: ["header"],
      resource_name: "Cars",
    });
    expect(none.body).toMatchObject(metadata as object);
    expect(none.body).not.toHaveProperty("error");
    const below = await send(`${mcpPath(cars.projectId)}/.well-known/oauth-protected-resource`);
    expect(below.body).toEqual(metadata);
    expect((await send("/.well-known/oauth-protected-resource")).status).toBe(404);
    const basic = await callMcp(cars.projectId, initialize(), { headers: { Authorization: "Basic eDp5" } });
    expect([basic.status, basic.headers.get("www-authenticate")]).toEqual([401, challenge]);
    const get = await send(mcpPath(cars.projectId));
    expect(get.status).toBe(401);
  });

  it("refuse a token of another audience, another issuer, or past its time", async () => {
    const now = Math.floor(Date.now() / 1000);
    const refused = await Promise.all([
      cars.issuer.sign("ann", { aud: "somebody" }),
      other.issuer.sign("ann"),
      cars.issuer.sign("ann", { exp: now - 120 }),
      Promise.resolve("opaque"),
    ]);
    for (const token of refused) {
      const answer = await callMcp(cars.projectId, initialize(), { token });
      expect([answer.status, answer.body]).toEqual([
        401,
        expect.objectContaining({ error: "invalid_token" }),
      ]);
      expect(answer.headers.get("www-authenticate")).toMatch(
        /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="[^"]+", scope="cars people"$/,
      );
      expect((await modernCall(cars.projectId, "tools/list", {}, { token })).status).toBe(401);
    }
    const twice = await sendRaw({
      method: "POST",
      path: mcpPath(cars.projectId),
      headers: ["Authorization", `Bearer ${ann}`, "Authorization", `Bearer ${ann}`],
      body: Buffer.from("{}"),
    });
    expect([twice.status, twice.headers.get("www-authenticate")]).toEqual([
      400,
      expect.stringMatching(/^Bearer error="invalid_request", resource_metadata="/),
    ]);
    const empty = await sendRaw({
      method: "POST",
      path: mcpPath(cars.projectId),
      headers: ["Authorization", "Bearer "],
      body: Buffer.from("{}"),
    });
    expect([empty.status, empty.body]).toEqual([
      400,
      expect.objectContaining({ errors: ["Authorization: no token after Bearer"] }),
    ]);
  });

  /** A server that is removed or switched off is gone within two seconds, also for clients with a session. */
  it("are not there for a project that is unknown, has no server, or has switched it off", async () => {
    const { issuer, projectId, agentId, serverId } = other;
    const token = await issuer.sign("ann");
    const own = await openSession(projectId, token);
    const ping = async () => (await legacyCall(projectId, "ping", undefined, { token, session: own })).status;
    const find = async (gid: string) => [
      await callMcp(gid, initialize()),
      await send(`/.well-known/oauth-protected-resource${mcpPath(gid)}`),
    ];
    const expectAbsent = async (gid: string) => {
      const answers = await eventually(
        () => find(gid),
        (found) => found.every(({ status }) => status === 404),
      );
      expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ message: "Not Found" })));
    };
    await inParallel(["gid:AAAAAgGQAAAAAHAAgAAAAAAAAAE", "nonsense"], expectAbsent);
    expect(await ping()).toBe(200);
    const { mcpServers } = openAdmin();
    await mcpServers.delete(serverId);
    await eventually(ping, (status) => status === 404);
    await expectAbsent(projectId);
    const server = {
      app_agent_id: agentId,
      token_introspect_id: issuer.introspectId,
      scopes_supported: ["cars"],
    };
    const off = { ...server, name: "again", project_id: projectId, enabled: false };
    const { id } = await mcpServers.create(off);
    await takeEffect();
    expect(await ping()).toBe(404);
    await expectAbsent(projectId);
    await mcpServers.update(id, () => ({ ...server, enabled: true }));
    await eventually(ping, (status) => status === 200);
  });

  it("refuse what is no message", async () => {
    const raw = async (text: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
      const answer = (await callMcp(cars.projectId, undefined, {
        token: ann,
        session,
        raw: text,
        headers,
      })) as RpcAnswer;
      return [answer.status, answer.body?.error?.code];
    };
    expect(await raw("{")).toEqual([400, -32700]);
    expect(await raw("")).toEqual([400, -32700]);
    expect(await raw(new Uint8Array([0x22, 0xff, 0x22]))).toEqual([400, -32700]);
    for (const text of [
      "[]",
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      "7",
      "null",
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1}',
      "[".repeat(1_000) + "]".repeat(1_000),
    ])
      expect(await raw(text)).toEqual([400, -32600]);
    expect((await raw("{}", { "Content-Type": "text/plain" }))[0]).toBe(415);
  });

  it("know a project by its gid raw and percent-encoded", async () => {
    const encoded = encodeURIComponent(cars.projectId);
    for (const gid of [cars.projectId, encoded]) {
      expect((await callMcp(gid, initialize(), { token: ann })).status).toBe(200);
      const document = await send(`/.well-known/oauth-protected-resource${mcpPath(gid)}`);
      expect(document.body).toMatchObject({ resource: `${environment().base_url}${mcpPath(gid)}` });
    }
  });
});

import { describe, expect, it } from "@jest/globals";
import { type AgentCaller, newGid } from "@ikg/contracts";
import { newKeyPair } from "../../../../stack/src/testing/internal-contexts.ts";
import { mcpOriginOf, verifyMcpOrigin } from "./mcp-origin.ts";
import { signInternalContext } from "./sign-context.ts";

const [gateway, mcp] = [newKeyPair(), newKeyPair()];
const [project, other] = [newGid("project"), newGid("project")];
const agent: AgentCaller = {
  kind: "agent",
  credential_kid: "k7f3q2m9x1c8v5b4",
  org: newGid("organization"),
  project,
  application: newGid("application"),
  agent: newGid("application_agent"),
  permissions: ["Authorization"],
};
const caller = { ...agent, user: { subject: "ann", claims: {}, configId: "c", nodeType: "Person" } };
const endpoint = { service: "mcp", method: "POST", route: "/mcp/v1/:project" } as const;
const refused = { code: "internal_context_invalid", status: 503 };

const withBearer = (token: string): string[] => ["Authorization", `Bearer ${token}`];

/** What the gateway gives mcp for a request. */
const originOf = (token: string, of: string = project, now: () => number = Date.now) =>
  signInternalContext(gateway.privateKey, "gateway", now)(
    undefined,
    endpoint,
    "192.0.2.1",
    undefined,
    mcpOriginOf(`/mcp/v1/${encodeURIComponent(of)}?x=1`, withBearer(token)),
  );

describe("the origin of a call of mcp", () => {
  const verify = verifyMcpOrigin([gateway.publicKey]);

  it("is the request of a client with the same bearer, to the same project", async () => {
    await expect(verify(caller, await originOf("aaa.bbb.ccc"), withBearer("aaa.bbb.ccc"))).resolves.toBe(
      undefined,
    );
  });

  it.each<[string, () => Promise<string | undefined>, string[]]>([
    ["none", async () => undefined, withBearer("aaa.bbb.ccc")],
    ["with another bearer", () => originOf("ddd.eee.fff"), withBearer("aaa.bbb.ccc")],
    ["without the bearer", () => originOf("aaa.bbb.ccc"), []],
    ["to another project", () => originOf("aaa.bbb.ccc", other), withBearer("aaa.bbb.ccc")],
    [
      "of a minute ago",
      () => originOf("aaa.bbb.ccc", project, () => Date.now() - 61_000),
      withBearer("aaa.bbb.ccc"),
    ],
    [
      "without a bearer at all",
      () => signInternalContext(gateway.privateKey, "gateway")(undefined, endpoint),
      withBearer("aaa.bbb.ccc"),
    ],
    [
      "that mcp has signed itself",
      () =>
        signInternalContext(mcp.privateKey, "gateway")(
          undefined,
          endpoint,
          undefined,
          undefined,
          mcpOriginOf(`/mcp/v1/${project}`, withBearer("aaa.bbb.ccc")),
        ),
      withBearer("aaa.bbb.ccc"),
    ],
    [
      "for another endpoint",
      () =>
        signInternalContext(gateway.privateKey, "gateway")(
          undefined,
          { ...endpoint, route: "/.well-known/oauth-protected-resource" },
          undefined,
          undefined,
          mcpOriginOf(`/mcp/v1/${project}`, withBearer("aaa.bbb.ccc")),
        ),
      withBearer("aaa.bbb.ccc"),
    ],
  ])("is not one %s", async (_what, origin, rawHeaders) => {
    await expect(verify(caller, await origin(), rawHeaders)).rejects.toMatchObject(refused);
  });

  it("is not demanded where no user is named", async () => {
    await expect(verify(agent, undefined, [])).resolves.toBe(undefined);
    await expect(verify(undefined, undefined, [])).resolves.toBe(undefined);
  });

  it("is signed anew for another bearer and another project", async () => {
    const sign = signInternalContext(gateway.privateKey, "gateway");
    const texts = await Promise.all(
      [
        ["a", project],
        ["b", project],
        ["a", other],
        ["a", project],
      ].map(([token = "", of = ""]) =>
        sign(undefined, endpoint, "192.0.2.1", undefined, mcpOriginOf(`/mcp/v1/${of}`, withBearer(token))),
      ),
    );
    expect(new Set(texts).size).toBe(3);
    expect(texts[3]).toBe(texts[0]);
  });
});

describe("what the gateway tells mcp of a request", () => {
  it.each([
    ["/mcp/v1/x", ["Authorization", "Bearer a b"]],
    ["/mcp/v1/x", ["Authorization", "Bearer a", "authorization", "Bearer b"]],
    ["/mcp/v1/x", []],
    ["/mcp/v1/%zz", ["Authorization", "Bearer a"]],
    ["/mcp/v1/x/.well-known/oauth-protected-resource", ["Authorization", "Bearer a"]],
  ])("is nothing of %s with %j", (url, rawHeaders) => {
    expect(mcpOriginOf(url, rawHeaders)).toBe(undefined);
  });
});

import { describe, expect, it } from "@jest/globals";
import { SignJWT } from "jose";
import { type AgentCaller, newGid } from "@ikg/contracts";
import { newKeyPair } from "../../../../stack/src/testing/internal-contexts.ts";
import { signInternalContext } from "./sign-context.ts";
import { type ContextKeys, verifyInternalContext } from "./verify-context.ts";

const [gateway, mcp, stranger] = [newKeyPair(), newKeyPair(), newKeyPair()];
const keys: ContextKeys = { gateway: [gateway.publicKey], mcp: [mcp.publicKey] };
const caller: AgentCaller = {
  kind: "agent",
  credential_kid: "k7f3q2m9x1c8v5b4",
  org: newGid("organization"),
  project: newGid("project"),
  application: newGid("application"),
  agent: newGid("application_agent"),
  permissions: ["Capture"],
};
const nodes = { service: "capture", method: "POST", route: "/capture/v1/nodes" } as const;
const evaluation = { service: "access", method: "POST", route: "/access/v1/evaluation" } as const;
const start = 1_800_000_000_000;
const signAt = (now: () => number) => signInternalContext(gateway.privateKey, "gateway", now);
const refused = { code: "internal_context_invalid", status: 503 };

describe("the internal context", () => {
  const sign = signInternalContext(gateway.privateKey, "gateway");

  it("carries the caller to one endpoint of one service", async () => {
    const text = await sign(caller, nodes);
    await expect(verifyInternalContext(keys, "capture")(text, nodes)).resolves.toEqual({
      caller,
      address: undefined,
    });
    await expect(verifyInternalContext(keys, "access")(text, nodes)).rejects.toMatchObject(refused);
    const verify = verifyInternalContext(keys, "capture");
    for (const other of [
      { ...nodes, method: "GET" },
      { ...nodes, route: "/capture/v1/relationships" },
    ]) {
      await expect(verify(text, other)).rejects.toMatchObject(refused);
      // Remembered as verified from here on; still for its own endpoint alone.
      await expect(verify(text, nodes)).resolves.toMatchObject({ caller });
      await expect(verify(text, other)).rejects.toMatchObject(refused);
    }
  });

  it("ends after 60 s, also when it was verified before", async () => {
    let now = start;
    const text = await signAt(() => now)(caller, nodes);
    const verify = verifyInternalContext(keys, "capture", () => now);
    await expect(verify(text, nodes)).resolves.toEqual({ caller, address: undefined });
    now = start + 59_000;
    await expect(verify(text, nodes)).resolves.toEqual({ caller, address: undefined });
    now = start + 60_000;
    await expect(verify(text, nodes)).rejects.toMatchObject(refused);
    await expect(verifyInternalContext(keys, "capture", () => now)(text, nodes)).rejects.toMatchObject(
      refused,
    );
  });

  it("is signed once in 30 s for the same caller and endpoint, and anew for a changed caller", async () => {
    let now = start;
    const signed = signAt(() => now);
    const text = await signed(caller, nodes);
    now = start + 29_000;
    expect(await signed(caller, { ...nodes })).toBe(text);
    expect(await signed(caller, evaluation)).not.toBe(text);
    expect(await signed(caller, { ...nodes, method: "PUT" })).not.toBe(text);
    const changed = await signed({ ...caller, permissions: [] }, nodes);
    await expect(verifyInternalContext(keys, "capture", () => now)(changed, nodes)).resolves.toMatchObject({
      caller: { permissions: [] },
    });
    now = start + 30_000;
    expect(await signed(caller, nodes)).not.toBe(text);
  });

  it("carries the address of the client, also without an authenticated caller", async () => {
    const endpoint = { service: "mcp", method: "POST", route: "/mcp/v1/:project" } as const;
    const verify = verifyInternalContext(keys, "mcp");
    const read = async (address: string) => verify(await sign(caller, endpoint, address), endpoint);
    expect(await read("192.0.2.1")).toEqual({ caller, address: "192.0.2.1" });
    expect(await read("192.0.2.2")).toEqual({ caller, address: "192.0.2.2" });
    const open = await sign(undefined, endpoint, "192.0.2.1");
    expect(await verify(open, endpoint)).toEqual({ caller: undefined, address: "192.0.2.1" });
  });

  it("carries the alias of a path, and keeps contexts with and without one apart", async () => {
    const endpoint = { service: "ciq", method: "POST", route: "/ciq/v1/execute" } as const;
    const verify = verifyInternalContext(keys, "ciq");
    const own = await sign(caller, endpoint, "192.0.2.1");
    const byAlias = await sign(caller, endpoint, "192.0.2.1", "execute");
    expect(await sign(caller, endpoint, "192.0.2.1", "execute")).toBe(byAlias);
    expect(await verify(own, endpoint)).toEqual({ caller, address: "192.0.2.1", alias: undefined });
    expect(await verify(byAlias, endpoint)).toEqual({ caller, address: "192.0.2.1", alias: "execute" });
  });

  it("verifies by each public key of its issuer, and by no other", async () => {
    const next = newKeyPair();
    const verify = verifyInternalContext(
      { ...keys, gateway: [next.publicKey, gateway.publicKey] },
      "capture",
    );
    for (const { privateKey } of [gateway, next]) {
      const signed = signInternalContext(privateKey, "gateway");
      await expect(verify(await signed(caller, nodes), nodes)).resolves.toMatchObject({ caller });
      // A known signature opens no other service, whichever key made it.
      await expect(verify(await signed(caller, evaluation), evaluation)).rejects.toMatchObject(refused);
    }
    for (const { privateKey } of [stranger, mcp]) {
      const text = await signInternalContext(privateKey, "gateway")(caller, nodes);
      await expect(verify(text, nodes)).rejects.toMatchObject(refused);
    }
  });

  it.each([undefined, "", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])("refuses %j", async (text) => {
    await expect(verifyInternalContext(keys, "capture")(text, nodes)).rejects.toMatchObject(refused);
  });
});

describe("what is signed by the right key", () => {
  const verify = verifyInternalContext(keys, "capture");
  const claims = { method: nodes.method, route: nodes.route, caller };
  const token = (
    content: Record<string, unknown>,
    seconds?: number,
    issuer = "ikg-gateway",
    alg = "Ed25519",
  ) => {
    const jwt = new SignJWT(content)
      .setProtectedHeader({ alg })
      .setIssuer(issuer)
      .setAudience("capture")
      .setIssuedAt();
    return (seconds === undefined ? jwt : jwt.setExpirationTime(`${seconds} s`)).sign(gateway.privateKey);
  };

  it("is refused when it is no caller, names no endpoint, or lives for longer than a minute", async () => {
    await expect(verify(await token(claims, 60), nodes)).resolves.toMatchObject({ caller });
    for (const wrong of [
      token({ ...claims, caller: { kind: "agent" } }, 60),
      token({ method: nodes.method, caller }, 60),
      token({ route: nodes.route, caller }, 60),
      token(claims),
      token(claims, 61),
    ])
      await expect(verify(await wrong, nodes)).rejects.toMatchObject(refused);
  });

  it("is refused under the name of another issuer", async () => {
    for (const issuer of ["ikg-mcp", "ikg-configs", ""])
      await expect(verify(await token(claims, 60, issuer), nodes)).rejects.toMatchObject(refused);
  });

  it("is refused when a public key is taken for a shared one", async () => {
    const text = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer("ikg-gateway")
      .setAudience("capture")
      .setIssuedAt()
      .setExpirationTime("60 s")
      .sign(gateway.publicKey.export({ format: "der", type: "spki" }));
    await expect(verify(text, nodes)).rejects.toMatchObject(refused);
  });
});

describe("what mcp states", () => {
  const user = { subject: "ann", claims: {}, configId: "c", nodeType: "Person" };
  const execute = { service: "ciq", method: "POST", route: "/ciq/v1/execute" } as const;
  const sign = signInternalContext(mcp.privateKey, "mcp");
  const verify = verifyInternalContext(keys, "access");

  it("is accepted for its own calls", async () => {
    const text = await sign({ ...caller, user }, evaluation, "192.0.2.1");
    await expect(verify(text, evaluation)).resolves.toMatchObject({ caller: { user } });
    const other = await sign({ ...caller, user }, execute);
    await expect(verifyInternalContext(keys, "ciq")(other, execute)).resolves.toMatchObject({
      caller: { user },
    });
  });

  it("is accepted for a user only where mcp states it, not the gateway", async () => {
    const text = await signInternalContext(gateway.privateKey, "gateway")({ ...caller, user }, evaluation);
    await expect(verify(text, evaluation)).rejects.toMatchObject(refused);
  });

  it("is not accepted for an agent by itself, a service account, or another caller", async () => {
    const account = {
      kind: "service_account",
      credential_kid: "k",
      org: caller.org,
      service_account: newGid("service_account"),
      role: "all_editor",
    } as const;
    for (const other of [caller, account, undefined])
      await expect(verify(await sign(other, evaluation), evaluation)).rejects.toMatchObject(refused);
  });

  it("is not accepted at another endpoint", async () => {
    const endpoints = [
      { service: "access", method: "POST", route: "/access/v1/evaluations" },
      { service: "access", method: "POST", route: "/access/v1/simulations" },
      { service: "ciq", method: "GET", route: "/ciq/v1/execute" },
      { service: "configs", method: "POST", route: "/access/v1/evaluation" },
      nodes,
    ] as const;
    for (const endpoint of endpoints) {
      const text = await sign({ ...caller, user }, endpoint);
      const verifyThere = verifyInternalContext(keys, endpoint.service);
      await expect(verifyThere(text, endpoint)).rejects.toMatchObject(refused);
    }
  });

  it("is not accepted by a service that does not know it", async () => {
    const without = verifyInternalContext({ gateway: [gateway.publicKey], mcp: [] }, "access");
    const text = await sign({ ...caller, user }, evaluation);
    await expect(without(text, evaluation)).rejects.toMatchObject(refused);
  });
});

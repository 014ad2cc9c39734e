import { describe, expect, it } from "@jest/globals";
import { SignJWT } from "jose";
import { type AgentCaller, newGid } from "@ikg/contracts";
import { signInternalContext, verifyInternalContext } from "./internal-context.ts";

const key = Buffer.alloc(32, 1);
const caller: AgentCaller = {
  kind: "agent",
  credential_kid: "k7f3q2m9x1c8v5b4",
  org: newGid("organization"),
  project: newGid("project"),
  application: newGid("application"),
  agent: newGid("application_agent"),
  permissions: ["Capture"],
};
const start = 1_800_000_000_000;

describe("the internal context", () => {
  it("carries the caller to one audience", async () => {
    const text = await signInternalContext(key)(caller, "capture");
    await expect(verifyInternalContext(key, "capture")(text)).resolves.toEqual({
      caller,
      address: undefined,
    });
    await expect(verifyInternalContext(key, "access")(text)).rejects.toMatchObject({
      code: "internal_context_invalid",
    });
    await expect(verifyInternalContext(Buffer.alloc(32, 2), "capture")(text)).rejects.toMatchObject({
      status: 503,
    });
  });

  it("ends after 60 s, also when it was verified before", async () => {
    let now = start;
    const text = await signInternalContext(key, () => now)(caller, "capture");
    const verify = verifyInternalContext(key, "capture", [], () => now);
    await expect(verify(text)).resolves.toEqual({ caller, address: undefined });
    now = start + 59_000;
    await expect(verify(text)).resolves.toEqual({ caller, address: undefined });
    now = start + 60_000;
    await expect(verify(text)).rejects.toMatchObject({ code: "internal_context_invalid" });
    await expect(verifyInternalContext(key, "capture", [], () => now)(text)).rejects.toMatchObject({
      status: 503,
    });
  });

  it("is signed once in 30 s for the same caller and audience, and anew for a changed caller", async () => {
    let now = start;
    const sign = signInternalContext(key, () => now);
    const text = await sign(caller, "capture");
    now = start + 29_000;
    expect(await sign(caller, "capture")).toBe(text);
    expect(await sign(caller, "access")).not.toBe(text);
    const changed = await sign({ ...caller, permissions: [] }, "capture");
    await expect(verifyInternalContext(key, "capture", [], () => now)(changed)).resolves.toMatchObject({
      caller: { permissions: [] },
    });
    now = start + 30_000;
    expect(await sign(caller, "capture")).not.toBe(text);
  });

  it("carries the address of the client, also without an authenticated caller", async () => {
    const sign = signInternalContext(key);
    const verify = verifyInternalContext(key, "mcp");
    const [one, other] = [await sign(caller, "mcp", "192.0.2.1"), await sign(caller, "mcp", "192.0.2.2")];
    await expect(verify(one)).resolves.toEqual({ caller, address: "192.0.2.1" });
    await expect(verify(other)).resolves.toEqual({ caller, address: "192.0.2.2" });
    expect(await sign(caller, "mcp", "192.0.2.1")).toBe(one);
    const open = await sign(undefined, "mcp", "192.0.2.1");
    await expect(verify(open)).resolves.toEqual({ caller: undefined, address: "192.0.2.1" });
  });

  it("carries the alias of a path, and keeps contexts with and without one apart", async () => {
    const sign = signInternalContext(key);
    const verify = verifyInternalContext(key, "ciq");
    const own = await sign(caller, "ciq", "192.0.2.1");
    const byAlias = await sign(caller, "ciq", "192.0.2.1", "execute");
    expect(await sign(caller, "ciq", "192.0.2.1", "execute")).toBe(byAlias);
    await expect(verify(own)).resolves.toEqual({ caller, address: "192.0.2.1", alias: undefined });
    await expect(verify(byAlias)).resolves.toEqual({ caller, address: "192.0.2.1", alias: "execute" });
  });

  it("verifies by a former key as well, and by no other", async () => {
    const [next, stranger] = [Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
    const verify = verifyInternalContext(next, "capture", [key]);
    for (const signing of [key, next])
      await expect(verify(await signInternalContext(signing)(caller, "capture"))).resolves.toMatchObject({
        caller,
      });
    await expect(verify(await signInternalContext(stranger)(caller, "capture"))).rejects.toMatchObject({
      code: "internal_context_invalid",
      status: 503,
    });
    // A known signature opens no other service, whichever key made it.
    await expect(verify(await signInternalContext(key)(caller, "access"))).rejects.toMatchObject({
      code: "internal_context_invalid",
    });
  });

  it.each([undefined, "", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])("refuses %j", async (text) => {
    await expect(verifyInternalContext(key, "capture")(text)).rejects.toMatchObject({
      code: "internal_context_invalid",
    });
  });

  it("refuses what is signed but is no caller, or never ends", async () => {
    const token = (claims: Record<string, unknown>, lifetime?: number) => {
      const jwt = new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256" })
        .setIssuer("ikg-gateway")
        .setAudience("capture");
      return (lifetime === undefined ? jwt : jwt.setExpirationTime("60 s")).sign(key);
    };
    const verify = verifyInternalContext(key, "capture");
    await expect(verify(await token({ kind: "agent" }, 60))).rejects.toMatchObject({ status: 503 });
    await expect(verify(await token({ ...caller }))).rejects.toMatchObject({ status: 503 });
    await expect(verify(await token({ ...caller }, 60))).resolves.toEqual({ caller, address: undefined });
  });
});

import { describe, expect, it } from "@jest/globals";
import {
  formerContextHeader,
  internalContextHeader,
  mcpOriginHeader,
  mcpOriginOf,
  openContextHeaders,
  signFormerContext,
  signInternalContext,
} from "@ikg/auth";
import { type AgentCaller, type Caller, newGid } from "@ikg/contracts";
import { newKeyPair } from "../../../../stack/src/testing/internal-contexts.ts";
import { openInternalContexts } from "./internal-contexts.ts";

const caller: Caller = {
  kind: "service_account",
  credential_kid: "k",
  org: newGid("organization"),
  service_account: newGid("service_account"),
  role: "all_editor",
};
const target = { service: "access", method: "POST", route: "/access/v1/simulations" } as const;
const [gateway, stranger] = [newKeyPair(), newKeyPair()];
const own = signInternalContext(gateway.privateKey, "gateway");
const rawHeaders: string[] = [];

describe("internal contexts", () => {
  it("that do not verify are reported to the operator: at once, then counted", async () => {
    let now = Date.now();
    const logEntries: unknown[] = [];
    const log = { error: (message: string, fields: object) => void logEntries.push([message, fields]) };
    const keys = { GATEWAY_PUBLIC_KEYS: [gateway.publicKey] };
    const contextOf = openInternalContexts("access", keys, log as never, () => now);
    const ask = (context: string) =>
      contextOf({ headers: { [internalContextHeader]: context }, rawHeaders }, target);
    const foreign = await signInternalContext(stranger.privateKey, "gateway")(caller, target);
    const text = await own(caller, target);
    for (let times = 0; times < 4; times++)
      await expect(ask(foreign)).rejects.toMatchObject({
        code: "internal_context_invalid",
        status: 503,
        headers: { "Retry-After": "5" },
      });
    await expect(ask(text)).resolves.toEqual({ caller, address: undefined });
    const message = expect.stringContaining("GATEWAY_PUBLIC_KEYS");
    expect(logEntries).toEqual([[message, { cause: "signature verification failed", refused: 1 }]]);
    now += 10_000;
    await expect(ask("")).rejects.toMatchObject({ status: 503 });
    expect(logEntries.slice(1)).toEqual([[message, { cause: "missing", refused: 4 }]]);
    now += 60_000;
    await expect(ask(text)).rejects.toMatchObject({ status: 503 });
    expect(logEntries.slice(2)).toEqual([[message, { cause: "expired", refused: 1 }]]);
    expect(JSON.stringify(logEntries)).not.toContain(text.slice(0, 30));
  });
});

describe("contexts of releases before 0.2", () => {
  const log = { error: () => undefined };
  const former = Buffer.alloc(32, 1);
  const keys = { GATEWAY_PUBLIC_KEYS: [gateway.publicKey] };
  const signed = signFormerContext(former)(caller, target, "192.0.2.1", "execute");

  it("are accepted while their key is set, and by no other", async () => {
    const headers = { [formerContextHeader]: await signed };
    const during = openInternalContexts("access", { ...keys, INTERNAL_CONTEXT_KEY: former }, log as never);
    await expect(during({ headers, rawHeaders }, target)).resolves.toEqual({
      caller,
      address: "192.0.2.1",
      alias: "execute",
    });
    for (const settings of [keys, { ...keys, INTERNAL_CONTEXT_KEY: Buffer.alloc(32, 2) }])
      await expect(
        openInternalContexts("access", settings, log as never)({ headers, rawHeaders }, target),
      ).rejects.toMatchObject({ code: "internal_context_invalid", status: 503 });
    const elsewhere = openInternalContexts("ciq", { ...keys, INTERNAL_CONTEXT_KEY: former }, log as never);
    await expect(elsewhere({ headers, rawHeaders }, target)).rejects.toMatchObject({ status: 503 });
  });

  it("never replace a present one that does not verify", async () => {
    const headers = {
      [formerContextHeader]: await signed,
      [internalContextHeader]: await signInternalContext(stranger.privateKey, "gateway")(caller, target),
    };
    const during = openInternalContexts("access", { ...keys, INTERNAL_CONTEXT_KEY: former }, log as never);
    await expect(during({ headers, rawHeaders }, target)).rejects.toMatchObject({
      code: "internal_context_invalid",
    });
    headers[internalContextHeader] = await own(caller, target);
    await expect(during({ headers, rawHeaders }, target)).resolves.toMatchObject({
      caller,
      alias: undefined,
    });
  });
});

describe("a call of mcp while a deployment is upgraded from before 0.2", () => {
  const log = { error: () => undefined };
  const former = Buffer.alloc(32, 1);
  const mcp = newKeyPair();
  const project = newGid("project");
  const agent: AgentCaller = {
    kind: "agent",
    credential_kid: "k",
    org: newGid("organization"),
    project,
    application: newGid("application"),
    agent: newGid("application_agent"),
    permissions: ["Authorization"],
    user: { subject: "ann", claims: {}, configId: "c", nodeType: "Person" },
  };
  const evaluation = { service: "access", method: "POST", route: "/access/v1/evaluation" } as const;
  const endpoint = { service: "mcp", method: "POST", route: "/mcp/v1/:project" } as const;
  const bearer = ["Authorization", "Bearer aaa.bbb.ccc"];
  const headersOf = (flat: readonly string[]): Record<string, string> =>
    Object.fromEntries(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""]] : [])));

  /** What mcp shows of the gateway: nothing behind a former one, whose header it does not pass on. */
  const originBehind = (gatewayRelease: string) =>
    gatewayRelease === "before 0.2"
      ? ""
      : signInternalContext(gateway.privateKey, "gateway")(
          undefined,
          endpoint,
          undefined,
          undefined,
          mcpOriginOf(`/mcp/v1/${encodeURIComponent(project)}`, bearer),
        );
  const callBy = async (mcpRelease: string, gatewayRelease: string) => {
    if (mcpRelease === "before 0.2")
      return {
        headers: { [formerContextHeader]: await signFormerContext(former)(agent, evaluation) },
        rawHeaders,
      };
    const contexts = await openContextHeaders("mcp", mcp.privateKey, former)(agent, evaluation);
    const origin = await originBehind(gatewayRelease);
    return { headers: { ...headersOf(contexts), [mcpOriginHeader]: origin }, rawHeaders: bearer };
  };
  const keys = { GATEWAY_PUBLIC_KEYS: [gateway.publicKey], MCP_PUBLIC_KEYS: [mcp.publicKey] };

  it.each([
    ["before 0.2", "before 0.2"],
    ["before 0.2", "0.2"],
    ["0.2", "before 0.2"],
    ["0.2", "0.2"],
  ])(
    "is served with mcp of %s behind a gateway of %s, in whatever order they are replaced",
    async (mcpRelease, gatewayRelease) => {
      const call = await callBy(mcpRelease, gatewayRelease);
      const during = openInternalContexts("access", { ...keys, INTERNAL_CONTEXT_KEY: former }, log as never);
      await expect(during(call, evaluation)).resolves.toMatchObject({ caller: agent });
    },
  );

  it("shows its origin from the end of the upgrade on", async () => {
    const after = openInternalContexts("access", keys, log as never);
    await expect(after(await callBy("0.2", "0.2"), evaluation)).resolves.toMatchObject({ caller: agent });
    await expect(after(await callBy("0.2", "before 0.2"), evaluation)).rejects.toMatchObject({ status: 503 });
  });

  it("is refused without an origin where the former context does not verify", async () => {
    const { headers, rawHeaders: raw } = await callBy("0.2", "before 0.2");
    const during = openInternalContexts("access", { ...keys, INTERNAL_CONTEXT_KEY: former }, log as never);
    const forged = await signFormerContext(Buffer.alloc(32, 2))(agent, evaluation);
    for (const [name, value] of [
      [formerContextHeader, forged],
      [internalContextHeader, await signInternalContext(stranger.privateKey, "mcp")(agent, evaluation)],
    ] as const)
      await expect(
        during({ headers: { ...headers, [name]: value }, rawHeaders: raw }, evaluation),
      ).rejects.toMatchObject({ code: "internal_context_invalid" });
  });
});

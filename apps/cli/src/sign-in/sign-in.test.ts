import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import {
  audience,
  clientId,
  type PeopleProvider,
  startPeopleProvider,
} from "../../../../stack/src/testing/servers/people-provider.ts";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import { runIkg } from "../../test/command-environment.ts";
import { signInByBrowser } from "./loopback-flow.ts";
import type { PersonToken } from "./request-tokens.ts";
import { findSignInServer } from "./sign-in-server.ts";

/** `ikg login` against a real OpenID provider; the deployment is a server that says where people sign in. */
let provider: PeopleProvider;
let deployment: Server;
let url: string;
let metadata: Record<string, unknown> | undefined;
let folder: string;
/** Bearers that the deployment was sent. */
let bearers: string[] = [];
/** Parameters of the device's request for a code. */
let requested: Readonly<Record<string, unknown>> = {};

beforeAll(async () => {
  provider = await startPeopleProvider(isLongRun() ? {} : { pollSeconds: 0.1 });
  provider.people.set("ann", { groups: ["security"] });
  provider.atBrowser = "ann";
  deployment = createServer((request, response) => {
    const isMetadata = request.url === "/.well-known/oauth-protected-resource/configs/v1";
    const content = isMetadata ? metadata : { id: "gid:organization", name: "ours", data: [] };
    if (!isMetadata) bearers.push(request.headers.authorization ?? "");
    response.writeHead(content === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(content ?? { message: "Not Found" }));
  });
  deployment.listen(0, "127.0.0.1");
  await once(deployment, "listening");
  url = `http://127.0.0.1:${(deployment.address() as AddressInfo).port}`; // of TCP
});
afterAll(async () => {
  deployment?.close();
  await provider?.close();
});
beforeEach(() => {
  bearers = [];
  folder = mkdtempSync(join(tmpdir(), "ikg-login-"));
  metadata = {
    resource: `${url}/configs/v1`,
    authorization_servers: [provider.issuer],
    scopes_supported: ["openid", "profile", "offline_access"],
    client_id: clientId,
    audience,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, "contexts.json");
const environmentVariables = (): Record<string, string> => ({ IKG_CONTEXTS: file(), IKG_URL: url });
const kept = (): { contexts: Record<string, { person?: PersonToken; organization?: string }> } =>
  JSON.parse(readFileSync(file(), "utf8")) as never; // what the command writes

/** Confirms the code that the command shows. */
const confirm = (text: string): void => {
  const [, code] = /enter ([A-Z0-9-]+)/.exec(text) ?? [];
  if (code !== undefined)
    void provider.confirmDevice(code, "ann").then((parameters) => {
      requested = parameters;
    });
};

describe("ikg login", () => {
  it("signs in by the device flow, keeps the token, and uses it", async () => {
    const { code, output } = await runIkg(["login"], { variables: environmentVariables(), error: confirm });
    expect([code, output]).toEqual([
      0,
      `You are signed in to ${url} as ann; the sign-in is stored in the context 127.0.0.1.\n`,
    ]);
    expect([requested["acr_values"], requested["max_age"]]).toEqual([undefined, undefined]);
    const { person, organization } = kept().contexts["127.0.0.1"] ?? {};
    expect(organization).toBe("gid:organization");
    expect(person).toMatchObject({ issuer: provider.issuer, clientId, refreshToken: expect.any(String) });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(bearers).toEqual([`Bearer ${person?.accessToken ?? ""}`]);
    const contexts = await runIkg(["context", "list"], { variables: environmentVariables() });
    expect(contexts.output).toMatch(/^127\.0\.0\.1 \* +http.* sign-in of ann$/m);
    // Another command is the person's, and one with a token is not.
    await runIkg(["get", "projects"], { variables: environmentVariables() });
    await runIkg(["get", "projects"], { variables: { ...environmentVariables(), IKG_TOKEN: "sa1_x" } });
    expect(bearers.slice(1)).toEqual([`Bearer ${person?.accessToken ?? ""}`, "Bearer sa1_x"]);
    // A token that has expired is renewed, and the new one kept.
    const content = kept();
    Object.assign(content.contexts["127.0.0.1"]?.person ?? {}, {
      expires: Date.now() - 1,
      accessToken: "old",
    });
    writeFileSync(file(), JSON.stringify(content), { mode: 0o600 });
    await runIkg(["get", "projects"], { variables: environmentVariables() });
    const renewed = kept().contexts["127.0.0.1"]?.person?.accessToken ?? "";
    expect([renewed === "old", bearers.at(-1)]).toEqual([false, `Bearer ${renewed}`]);
    await runIkg(["logout"], { variables: environmentVariables() });
    expect(kept().contexts["127.0.0.1"]).not.toHaveProperty("person");
    const after = await runIkg(["get", "projects"], { variables: environmentVariables() });
    expect([after.code, after.errors]).toEqual([2, expect.stringContaining("not signed in")]);
  }, 30_000);

  it("says which address cannot be reached where a token cannot be renewed", async () => {
    const person = {
      issuer: provider.issuer,
      clientId,
      audience,
      tokenEndpoint: "http://127.0.0.1:9/token",
      accessToken: "old",
      refreshToken: "r",
      expires: 1,
    };
    writeFileSync(file(), JSON.stringify({ current: "here", contexts: { here: { url, person } } }), {
      mode: 0o600,
    });
    const { code, errors } = await runIkg(["get", "projects"], { variables: environmentVariables() });
    expect([code, errors]).toEqual([
      2,
      expect.stringMatching(/^error: http:\/\/127\.0\.0\.1:9\/token cannot be reached: .+\n$/),
    ]);
    expect(bearers).toEqual([]);
  });

  describe("a token that has expired", () => {
    let endpoint: Server;
    let beforeAnswer: () => Promise<unknown>;
    /** As of a provider that revokes a sign-in whose refresh token comes again. */
    let valid: string;
    let count: number;
    beforeEach(async () => {
      [valid, count, beforeAnswer] = ["r0", 0, () => delay(50)];
      endpoint = createServer((request, response) => {
        void textOf(request).then(async (form) => {
          const isValid = new URLSearchParams(form).get("refresh_token") === valid;
          valid = isValid ? `r${++count}` : "revoked";
          const tokens = { access_token: `a${count}`, refresh_token: valid, expires_in: 600 };
          await beforeAnswer();
          response.writeHead(isValid ? 200 : 400, { "Content-Type": "application/json" });
          response.end(JSON.stringify(isValid ? tokens : { error: "invalid_grant" }));
        });
      });
      await once(endpoint.listen(0, "127.0.0.1"), "listening");
      const { port } = endpoint.address() as AddressInfo; // of TCP
      const tokenEndpoint = `http://127.0.0.1:${port}/token`;
      const person = { issuer: provider.issuer, clientId, audience, tokenEndpoint, accessToken: "old" };
      const here = { url, person: { ...person, refreshToken: "r0", expires: 1 } };
      writeFileSync(file(), JSON.stringify({ current: "here", contexts: { here } }), { mode: 0o600 });
    });
    afterEach(() => {
      endpoint.closeAllConnections();
      endpoint.close();
    });
    const list = () => runIkg(["get", "projects"], { variables: environmentVariables() });

    it("is renewed once for commands at the same time", async () => {
      const runs = await Promise.all([list(), list(), list()]);
      expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
      expect(new Set(bearers)).toEqual(new Set(["Bearer a1"]));
      expect(kept().contexts["here"]?.person).toMatchObject({ accessToken: "a1", refreshToken: "r1" });
      expect(readdirSync(folder)).toEqual(["contexts.json"]);
    });

    it("is not stored after a sign-out that comes before its renewal has ended", async () => {
      beforeAnswer = () => runIkg(["logout"], { variables: environmentVariables() });
      expect((await list()).code).toBe(0);
      expect(kept().contexts["here"]).toEqual({ url });
    });
  });

  it("keeps what another command stores in the context before the sign-in has ended", async () => {
    const contexts = (context: object): string => JSON.stringify({ contexts: { here: { url, ...context } } });
    writeFileSync(file(), contexts({}), { mode: 0o600 });
    const { code } = await runIkg(["login", "--context", "here"], {
      variables: environmentVariables(),
      error: (message) => {
        writeFileSync(file(), contexts({ clientKey: "ak1_new" }));
        confirm(message);
      },
    });
    expect(code).toBe(0);
    expect(kept().contexts["here"]).toMatchObject({
      clientKey: "ak1_new",
      person: { issuer: provider.issuer },
    });
  }, 30_000);

  it("is not stored in a context that has got another address before the sign-in has ended", async () => {
    const contexts = (context: object): string => JSON.stringify({ contexts: { here: context } });
    writeFileSync(file(), contexts({ url }), { mode: 0o600 });
    const other = { url: "http://127.0.0.1:9", token: "sa1_x" };
    const { code } = await runIkg(["login", "--context", "here"], {
      variables: environmentVariables(),
      error: (message) => {
        if (message.includes("enter ")) writeFileSync(file(), contexts(other));
        confirm(message);
      },
    });
    expect(code).toBe(2);
    expect(kept().contexts["here"]).toEqual(other);
  }, 30_000);

  it("requests the sign-in that is demanded", async () => {
    metadata = { ...metadata, acr_values: ["phr", "phrh"], max_age: 600 };
    const { code } = await runIkg(["login"], { variables: environmentVariables(), error: confirm });
    expect(code).toBe(0);
    expect(requested).toMatchObject({ acr_values: "phr phrh", max_age: "600" });
  }, 30_000);

  it("leaves a context of another address as it is, and says how to make one for this address", async () => {
    const other = { url: "http://127.0.0.1:9", project: "p", token: "sa1_x", clientKey: "ak1_x" };
    writeFileSync(file(), JSON.stringify({ contexts: { "127.0.0.1": other, named: { url } } }), {
      mode: 0o600,
    });
    const refused = await runIkg(["login"], { variables: environmentVariables() });
    expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining("ikg context add")]);
    expect(kept().contexts).toEqual({ "127.0.0.1": other, named: { url } });
    // Credentials of variables are used, and not stored.
    const variables = { IKG_TOKEN: "sa1_y", IKG_CLIENT_KEY: "ak1_y", IKG_PROJECT: "q" };
    const named = await runIkg(["login", "--context", "named"], {
      variables: { ...environmentVariables(), ...variables },
      error: confirm,
    });
    expect(named.code).toBe(0);
    expect(kept().contexts["127.0.0.1"]).toEqual(other);
    expect(kept().contexts["named"]).toEqual({
      url,
      organization: "gid:organization",
      person: expect.objectContaining({ issuer: provider.issuer }),
    });
  }, 30_000);

  it("signs in by the browser of this machine, with PKCE", async () => {
    metadata = { ...metadata, acr_values: ["phr", "phrh"], max_age: 600 };
    const server = await findSignInServer(url);
    const browse = async (address: string): Promise<void> => {
      // A browser that follows redirects and keeps cookies.
      const cookies = new Map<string, string>();
      for (let next: string | undefined = address; next !== undefined;) {
        const answer: Response = await fetch(next, {
          redirect: "manual",
          headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        });
        for (const each of answer.headers.getSetCookie()) {
          const [pair = ""] = each.split(";");
          const at = pair.indexOf("=");
          cookies.set(pair.slice(0, at), pair.slice(at + 1));
        }
        const location = answer.headers.get("location");
        next = location === null ? undefined : new URL(location, next).href;
      }
    };
    let opened = "";
    const person = await signInByBrowser(
      server,
      server.authorizationEndpoint ?? "",
      () => undefined,
      new AbortController().signal,
      (address) => {
        opened = address;
        void browse(address);
      },
    );
    expect(Object.fromEntries(new URL(opened).searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      resource: audience,
      acr_values: "phr phrh",
      max_age: "600",
    });
    const [, payload = ""] = person.accessToken.split(".");
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      sub: "ann",
      aud: audience,
    });
    expect(person.refreshToken).toEqual(expect.any(String));
  }, 30_000);

  it.each([
    ["has no identity provider for signing in", () => undefined],
    [
      "does not match https://other.example",
      () => ({ ...metadata, resource: "https://other.example/configs/v1" }),
    ],
    ["does not publish a complete sign-in configuration", () => ({ ...metadata, client_id: undefined })],
    ["cannot be reached", () => ({ ...metadata, authorization_servers: ["http://127.0.0.1:9"] })],
  ])("says what is wrong: the deployment %s", async (words, change) => {
    metadata = change();
    const { code, errors } = await runIkg(["login"], { variables: environmentVariables() });
    expect([code, errors]).toEqual([2, expect.stringContaining(words)]);
  });
});

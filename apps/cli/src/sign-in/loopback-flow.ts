import { spawn } from "node:child_process";
import { hash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CommandFault } from "../surroundings.ts";
import type { Tell } from "./device-flow.ts";
import { type PersonToken, requestTokens } from "./request-tokens.ts";
import { audienceParameters, type SignInServer } from "./sign-in-server.ts";

const withinMs = 300_000;
const path = "/callback";

const random = (): string => randomBytes(32).toString("base64url");

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens the person's browser, or does nothing where there is none: the address is shown as well. */
export const openBrowser = (address: string): void => {
  const [program = "xdg-open", ...before] = openers[process.platform] ?? [];
  const child = spawn(program, [...before, address], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
};

/** What the provider has sent the browser back with, once it came with the right state. */
const codeOf = (request: IncomingMessage, issuer: string, state: string): string | undefined => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  if (pathname !== path || searchParams.get("state") !== state) return undefined;
  const named = searchParams.get("iss");
  // A mixed-up answer of another server (RFC 9207).
  if (named !== null && named !== issuer)
    throw new CommandFault("the answer in the browser is of another issuer");
  const error = searchParams.get("error");
  if (error !== null)
    throw new CommandFault(`no person is signed in: ${searchParams.get("error_description") ?? error}`);
  return searchParams.get("code") ?? undefined;
};

const page = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" }).end(text);
};

/** Listens on a port of this machine alone until the browser comes back. */
const listen = async (issuer: string, state: string, signal: AbortSignal) => {
  const { promise: code, resolve, reject } = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    try {
      const found = codeOf(request, issuer, state);
      if (found === undefined) return page(response, 404, "Nothing is here.\n");
      page(response, 200, "You are signed in. This window can be closed.\n");
      resolve(found);
    } catch (error) {
      page(response, 400, "No person is signed in; the terminal says why.\n");
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const over = (): void => reject(new CommandFault("no person has signed in in time: ikg login again"));
  signal.addEventListener("abort", over, { once: true });
  code.catch(() => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, // of TCP
    code,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

/**
 * Signs a person in by the browser of this machine: the code flow with PKCE (RFC 7636) and a loopback redirect (RFC 8252,
 * section 7.3).
 *
 * @throws CommandFault when the person refuses, or does not come back.
 */
export const signInByBrowser = async (
  server: SignInServer,
  endpoint: string,
  tell: Tell,
  signal: AbortSignal,
  open: (address: string) => void = openBrowser,
): Promise<PersonToken> => {
  const [verifier, state] = [random(), random()];
  const limit = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const callback = await listen(server.issuer, state, limit);
  const parameters = {
    response_type: "code",
    client_id: server.clientId,
    redirect_uri: callback.redirectUri,
    scope: server.scope,
    state,
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256",
    // A provider gives a token that can be renewed only to a person who was asked (OpenID Connect Core 1.0, section 11).
    ...(server.scope.split(" ").includes("offline_access") ? { prompt: "consent" } : {}),
    ...audienceParameters(server.audience),
  };
  const address = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  try {
    tell(`Sign in at ${address.href}\n`);
    open(address.href);
    return await requestTokens(
      server,
      {
        grant_type: "authorization_code",
        code: await callback.code,
        redirect_uri: callback.redirectUri,
        code_verifier: verifier,
        ...audienceParameters(server.audience),
      },
      signal,
    );
  } finally {
    callback.close();
  }
};

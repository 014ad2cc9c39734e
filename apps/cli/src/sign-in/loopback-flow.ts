import { spawn } from "node:child_process";
import { hash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createDeferred } from "../deferred.ts";
import { CommandFault } from "../command-environment.ts";
import type { ShowMessage } from "./device-flow.ts";
import { type PersonToken, requestTokens } from "./request-tokens.ts";
import { audienceParameters, type SignInServer, strengthParameters } from "./sign-in-server.ts";

const withinMs = 300_000;
const path = "/callback";

const random = (): string => randomBytes(32).toString("base64url");

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens the user's browser if there is one. The address is also shown on the terminal. */
export const openBrowser = (address: string): void => {
  const [program = "xdg-open", ...before] = openers[process.platform] ?? [];
  const child = spawn(program, [...before, address], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
};

/** The authorization code of the redirect; undefined for a request with another path or state. */
const codeOf = (request: IncomingMessage, issuer: string, state: string): string | undefined => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  if (pathname !== path || searchParams.get("state") !== state) return undefined;
  const named = searchParams.get("iss");
  // Prevents mix-up attacks (RFC 9207).
  if (named !== null && named !== issuer)
    throw new CommandFault("the browser returned a response of another issuer");
  const error = searchParams.get("error");
  if (error !== null)
    throw new CommandFault(`the sign-in failed: ${searchParams.get("error_description") ?? error}`);
  return searchParams.get("code") ?? undefined;
};

const page = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" }).end(text);
};

/** Listens on a loopback port until the browser is redirected to it. */
const listen = async (issuer: string, state: string, signal: AbortSignal) => {
  const { promise: code, resolve, reject } = createDeferred<string>();
  const server = createServer((request, response) => {
    try {
      const found = codeOf(request, issuer, state);
      if (found === undefined) return page(response, 404, "Not found.\n");
      page(response, 200, "You are signed in. This window can be closed.\n");
      resolve(found);
    } catch (error) {
      page(response, 400, "The sign-in failed. See the terminal for the reason.\n");
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const over = (): void => reject(new CommandFault("the sign-in timed out; run ikg login again"));
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
 * Signs in a user with the browser of this machine: the code flow with PKCE (RFC 7636) and a loopback redirect (RFC 8252,
 * section 7.3).
 *
 * @throws CommandFault if the user refuses, or the sign-in times out.
 */
export const signInByBrowser = async (
  server: SignInServer,
  endpoint: string,
  showMessage: ShowMessage,
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
    // A refresh token requires the consent of the user (OpenID Connect Core 1.0, section 11).
    ...(server.scope.split(" ").includes("offline_access") ? { prompt: "consent" } : {}),
    ...strengthParameters(server),
    ...audienceParameters(server.audience),
  };
  const address = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  try {
    showMessage(`Sign in at ${address.href}\n`);
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

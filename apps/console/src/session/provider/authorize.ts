import { hasWebCrypto } from "../has-web-crypto.ts";
import { callbackChannel, callbackPage } from "./callback.ts";
import type { IdentityProvider } from "./read-provider.ts";
import { audienceParameters, type ProviderTokens, requestTokens, strengthParameters } from "./tokens.ts";

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const random = (): string => encode(crypto.getRandomValues(new Uint8Array(32)));

const challengeOf = async (verifier: string): Promise<string> =>
  encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));

/**
 * The code of an answer with this state; undefined for an answer to another request.
 *
 * @throws Error for a refusal, and for an answer of another issuer (RFC 9207).
 */
export const codeOf = (search: string, issuer: string, state: string): string | undefined => {
  const answer = new URLSearchParams(search);
  if (answer.get("state") !== state) return undefined;
  const named = answer.get("iss");
  if (named !== null && named !== issuer) throw new Error("The response came from another issuer.");
  const error = answer.get("error");
  if (error !== null) throw new Error(answer.get("error_description") ?? error);
  return answer.get("code") ?? undefined;
};

const waitForCode = (issuer: string, state: string, signal: AbortSignal): Promise<string> => {
  signal.throwIfAborted();
  const channel = new BroadcastChannel(callbackChannel);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const cancel = (): void => reject(signal.reason);
  signal.addEventListener("abort", cancel);
  channel.addEventListener("message", ({ data }) => {
    try {
      const code = codeOf(String(data), issuer, state);
      if (code !== undefined) resolve(code);
    } catch (error) {
      reject(error);
    }
  });
  return promise.finally(() => {
    channel.close();
    signal.removeEventListener("abort", cancel);
  });
};

/** Lets the person sign in in a window, and exchanges the code that comes of it for tokens. */
const authorizeIn = async (
  popup: Window,
  provider: IdentityProvider,
  signal: AbortSignal,
): Promise<ProviderTokens> => {
  const [verifier, state] = [random(), random()];
  const redirectUri = new URL(callbackPage, document.baseURI.replace(/[#?].*$/, "")).href;
  const address = new URL(provider.authorizationEndpoint);
  const parameters = {
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: provider.scope,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: "S256",
    // A token that can be renewed goes only to a person who was asked (OpenID Connect Core 1.0, section 11).
    ...(provider.scope.split(" ").includes("offline_access") && { prompt: "consent" }),
    ...strengthParameters(provider),
    ...audienceParameters(provider),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const waiting = waitForCode(provider.issuer, state, signal);
  popup.location.href = address.href;
  const code = await waiting;
  const form = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return requestTokens(provider, form, signal);
};

/**
 * Signs a person in by the code flow with PKCE (OpenID Connect Core 1.0, section 3.1; RFC 7636), in a window of its own, so that
 * what is on the page stays. The window is closed at the end.
 *
 * @throws Error where the person or the provider refuses, the reason of the signal.
 */
export const authorize = async (provider: IdentityProvider, signal: AbortSignal): Promise<ProviderTokens> => {
  if (!hasWebCrypto())
    throw new Error(
      "Browsers offer what this sign-in needs only on pages served over https or from localhost. Open the console at its https address.",
    );
  // Opened at once: after a wait browsers take it for one that was not asked for.
  const popup = window.open("about:blank", "ikg-sign-in", "popup,width=520,height=720");
  if (popup === null) throw new Error("The browser blocked the sign-in window. Allow pop-ups for this site.");
  try {
    return await authorizeIn(popup, provider, signal);
  } finally {
    popup.close();
  }
};

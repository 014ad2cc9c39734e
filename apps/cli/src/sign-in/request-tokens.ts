import { isJsonObject } from "@ikg/contracts/values";
import { failureText } from "../connection/failure-text.ts";
import { CommandFault } from "../command-environment.ts";

/** The access token of a user, with the data for its renewal. */
export interface PersonToken {
  readonly issuer: string;
  readonly clientId: string;
  readonly tokenEndpoint: string;
  readonly audience: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Milliseconds since the epoch; absent if the provider does not return it. */
  readonly expires?: number | undefined;
}

/** The error response of a token endpoint (RFC 6749, section 5.2). */
export class TokenRefused extends CommandFault {
  readonly error: string;

  constructor(endpoint: string, error: string, description: unknown) {
    super(
      `${endpoint} did not issue a token: ${error}${typeof description === "string" ? `, ${description}` : ""}`,
    );
    this.error = error;
  }
}

const withinMs = 15_000;

/**
 * Posts a form, and parses the JSON response of any status.
 *
 * @throws CommandFault without a response, or for one that is not a JSON object; the reason of the signal.
 */
export const postForm = async (
  url: string,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<{ readonly ok: boolean; readonly body: Readonly<Record<string, unknown>> }> => {
  const timeout = AbortSignal.timeout(withinMs);
  const answer = await fetch(url, {
    method: "POST",
    headers: { Accept: "application/json" },
    body: new URLSearchParams(form),
    redirect: "error",
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new CommandFault(`${url} cannot be reached: ${failureText(error)}`);
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (!isJsonObject(body))
    throw new CommandFault(`${url} responds with ${answer.status} and without a JSON object`);
  return { ok: answer.ok, body };
};

type Endpoint = Pick<PersonToken, "issuer" | "clientId" | "tokenEndpoint" | "audience">;

/** @throws TokenRefused, and errors of `postForm` */
export const requestTokens = async (
  { issuer, clientId, tokenEndpoint, audience }: Endpoint,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<PersonToken> => {
  const { ok, body } = await postForm(tokenEndpoint, { client_id: clientId, ...form }, signal);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, error } = body;
  if (!ok || typeof accessToken !== "string")
    throw new TokenRefused(
      tokenEndpoint,
      typeof error === "string" ? error : "no access_token",
      body["error_description"],
    );
  return {
    issuer,
    clientId,
    tokenEndpoint,
    audience,
    accessToken,
    ...(typeof refreshToken === "string" ? { refreshToken } : {}),
    ...(typeof seconds === "number" ? { expires: Date.now() + seconds * 1_000 } : {}),
  };
};

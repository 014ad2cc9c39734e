/** The public API by plain HTTP, for tests that look at statuses. */
import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../launch/refusal.mjs";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What opens a call: a service account's token, or an agent's key with or without a person's token. */
export type Headers = Readonly<Record<string, string>>;

export const asServiceAccount = (token: string): Headers => ({ authorization: `Bearer ${token}` });
export const asAgent = (apiKey: string, bearer?: string): Headers => ({
  "x-svc-clientkey": apiKey,
  ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
});

const timeLimitMs = 40_000;

/** How long a service may be too busy: databases that have just started answer their first questions slowly. */
const timeoutMs = 60_000;

const bodyOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, 200);
  }
};

/** A `Retry-After` in seconds, as the services give it. */
const pauseMs = (response: Response): number =>
  1000 * Math.min(Number(response.headers.get("retry-after") ?? 1), 5);

/**
 * One call, whatever its status. 503 is asked again: it means that nothing was carried out.
 *
 * @throws Refusal when there is no answer at all
 */
export const send = async (
  baseUrl: string,
  method: "GET" | "POST" | "DELETE",
  path: string,
  headers: Headers,
  body?: unknown,
): Promise<Answer> => {
  const request = {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const until = performance.now() + timeoutMs;
  try {
    for (;;) {
      const signal = AbortSignal.timeout(timeLimitMs);
      const response = await fetch(`${baseUrl}${path}`, { ...request, signal });
      const answer = { status: response.status, body: bodyOf(await response.text()) };
      if (answer.status !== 503 || performance.now() >= until) return answer;
      await delay(pauseMs(response));
    }
  } catch (error) {
    throw new Refusal(`No answer to ${method} ${path}: ${reasonOf(error)}`);
  }
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};

/** The message of an error response, in one line. */
const problemOf = (body: unknown): string => {
  if (typeof body !== "object" || body === null) return String(body);
  const { message, errors } = body as { message?: unknown; errors?: unknown }; // the envelope, or something else
  return [message, ...(Array.isArray(errors) ? errors : [])].filter((part) => part !== undefined).join("; ");
};

/** One call that has to succeed. @throws Refusal with the answer's own words when it does not */
export const call = async (...request: Parameters<typeof send>): Promise<unknown> => {
  const { status, body } = await send(...request);
  if (status >= 200 && status < 300) return body;
  throw new Refusal(`${request[1]} ${request[2]} answered ${status}: ${problemOf(body)}`);
};

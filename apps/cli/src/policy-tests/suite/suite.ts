import { setTimeout as wait } from "node:timers/promises";
import { tryParseJson } from "@ikg/contracts/values";
import { failureText } from "../../connection/failure-text.ts";
import { CommandFault } from "../../command-environment.ts";

/** The address and credential of a suite. */
export interface SuiteAddress {
  readonly url: string;
  readonly token: string;
  /** The organization of the token; requested if unknown. */
  readonly organization?: string | undefined;
}

export type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  readonly headers: globalThis.Headers;
  /** Parsed JSON. */
  readonly body: unknown;
}

/** The public API of a suite. */
export interface Suite {
  send(method: string, path: string, headers: Headers, body?: unknown): Promise<Answer>;
  /** Makes a request as the service account; `path` is relative to `/configs/v1`. */
  configs(method: string, path: string, body?: unknown): Promise<Answer>;
}

const timeoutMs = 60_000;
/** How long requests are retried while the suite is overloaded or starting: the database first plans the statements of a new project. */
const retryTimeoutMs = 60_000;
const retriableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Pause before a request with a lost connection is retried. */
const reconnectPauseMs = 300;

const pauseMs = (headers: globalThis.Headers): number => {
  const seconds = Number(headers.get("retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 5) * 1_000 : 300;
};

/** Whether a request may be retried although its response was lost. Queries are not, because they may write. */
const isRepeatable = (method: string, path: string): boolean =>
  method !== "POST" || path.startsWith("/access/") || path.startsWith("/capture/");

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === "TimeoutError";

/** The message of an error response. */
export const refusalOf = ({ status, body }: Answer): string => {
  const { message = "", errors = [] } = (body ?? {}) as { message?: string; errors?: readonly string[] }; // the envelope of errors
  return [`${status} ${message}`.trim(), ...errors].join("; ");
};

/** Opens a suite. Its requests throw a CommandFault where it cannot be reached. */
export const openSuite = ({ url, token }: SuiteAddress): Suite => {
  const base = url.replace(/\/+$/, "");
  // A suite that has never responded is not retried: its address may be wrong.
  let hasAnswered = false;
  const send: Suite["send"] = async (method, path, headers, body) => {
    const until = Date.now() + retryTimeoutMs;
    for (;;) {
      let response: Response;
      let text: string;
      try {
        response = await fetch(`${base}${path}`, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          // A key would go along to another address.
          redirect: "manual",
          signal: AbortSignal.timeout(timeoutMs),
        });
        text = await response.text();
        hasAnswered = true;
      } catch (error) {
        if (hasAnswered && isRepeatable(method, path) && !isTimeout(error) && Date.now() < until) {
          await wait(reconnectPauseMs);
          continue;
        }
        throw new CommandFault(`${base} cannot be reached: ${failureText(error)}`);
      }
      if (!retriableStatuses.has(response.status) || Date.now() > until)
        return { status: response.status, headers: response.headers, body: tryParseJson(text) };
      await wait(pauseMs(response.headers));
    }
  };
  return {
    send,
    configs: (method, path, body) => {
      const headers = {
        authorization: `Bearer ${token}`,
        // Test projects are written in any state; deployments may require the header (CONFIG_REQUIRE_IF_MATCH).
        ...(method === "PUT" || method === "DELETE" ? { "if-match": "*" } : {}),
      };
      return send(method, `/configs/v1${path}`, headers, body);
    },
  };
};

/** The body of a response that must be a success. */
export const expectSuccess = (what: string, answer: Answer): Readonly<Record<string, unknown>> => {
  if (answer.status >= 200 && answer.status < 300)
    return (answer.body ?? {}) as Readonly<Record<string, unknown>>; // an object, as every answer
  throw new CommandFault(`${what}: ${refusalOf(answer)}`);
};

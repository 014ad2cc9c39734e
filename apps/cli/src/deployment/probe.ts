import type { Connection } from "../connection/connection.ts";
import { failureText } from "../connection/failure-text.ts";

const timeoutMs = 5_000;

/** The result of one request without retries. */
export interface Probe {
  /** Undefined without a response. */
  readonly status: number | undefined;
  readonly headers: Pick<Headers, "get">;
  /** The reason for a missing response. */
  readonly failure: string | undefined;
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.name === "TimeoutError"
    ? `no response within ${timeoutMs / 1_000} s`
    : failureText(error);

/** Makes one request, without following redirects or reading the body. */
export const probe = async (url: string, init: RequestInit = {}): Promise<Probe> => {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return { status: response.status, headers: response.headers, failure: undefined };
  } catch (error) {
    return { status: undefined, headers: new Headers(), failure: reasonOf(error) };
  }
};

export const addressOf = ({ url }: Connection, path: string): string => url.replace(/\/+$/, "") + path;

import type { Connection } from "../connection/connection.ts";

const timeoutMs = 5_000;

/** The result of one request without retries. */
export interface Probe {
  /** Undefined without a response. */
  readonly status: number | undefined;
  readonly headers: Pick<Headers, "get">;
  /** The reason for a missing response. */
  readonly failure: string | undefined;
}

const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no response within ${timeoutMs / 1_000} s`;
  const { cause } = error;
  return cause instanceof Error ? cause.message || cause.name : error.message;
};

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
    return { status: undefined, headers: new Headers(), failure: causeOf(error) };
  }
};

export const addressOf = ({ url }: Connection, path: string): string => url.replace(/\/+$/, "") + path;

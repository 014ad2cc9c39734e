import type { Connection } from "../connection/connection.ts";

const timeoutMs = 5_000;

/** What one request without a retry came to. */
export interface Probe {
  /** Undefined when there was no response. */
  readonly status: number | undefined;
  readonly headers: Pick<Headers, "get">;
  /** Why there was no response. */
  readonly failure: string | undefined;
}

const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no response within ${timeoutMs / 1_000} s`;
  const { cause } = error;
  return cause instanceof Error ? cause.message || cause.name : error.message;
};

/** One request, whose response is not followed and not read. */
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

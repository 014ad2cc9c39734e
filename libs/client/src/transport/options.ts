/** Where a deployment is, and how it is called. */
export interface ConnectionOptions {
  /** Address of the gateway, as `https://ikg.example.com`; may have a path. */
  readonly baseUrl: string | URL;
  /** Milliseconds that a call may take, its retries included; by default 10,000 of `Ikg` and 40,000 of `IkgAdmin`. */
  readonly timeoutMs?: number | undefined;
  /**
   * True: also what is sent once otherwise is sent again where it certainly was not executed: after 429 and 503 with
   * `Retry-After`, and where there was no connection.
   */
  readonly repeatUnexecuted?: boolean | undefined;
  /** Another implementation of `fetch`, for example one with a proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; its promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the value of the client. Of a call that pages it is the time of one page. */
  readonly timeoutMs?: number | undefined;
}

/** Those of `ConnectionOptions` with their defaults. */
export interface Connection {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly repeatUnexecuted: boolean;
  readonly fetch: typeof globalThis.fetch;
}

/** For decisions, which an application waits for. */
const usualTimeoutMs = 10_000;

/** Longer than the gateway waits for a change (35 s): a caller that gives up first does not learn its outcome. */
export const administrationTimeoutMs = 40_000;

/** @throws TypeError for milliseconds that are not positive: a call whose time is NaN would never end. */
export const positiveTimeout = (timeoutMs: number): number => {
  if (timeoutMs > 0) return timeoutMs;
  throw new TypeError(`timeoutMs: a positive number expected, ${timeoutMs} given`);
};

/**
 * @param defaultTimeoutMs of calls where the options name none
 * @throws TypeError for a `baseUrl` that is not an http or https address, and for a `timeoutMs` that is not positive.
 */
export const connectionOf = (
  { baseUrl, timeoutMs, repeatUnexecuted = false, fetch }: ConnectionOptions,
  defaultTimeoutMs = usualTimeoutMs,
): Connection => {
  const url = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError(`baseUrl: an http or https address expected, "${String(baseUrl)}" given`);
  return {
    baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, ""),
    timeoutMs: positiveTimeout(timeoutMs ?? defaultTimeoutMs),
    repeatUnexecuted,
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
};

import type { Readable } from "node:stream";
import { Agent, errors, request } from "undici";
import { isJsonObject } from "@ikg/contracts";
import { EgressError } from "./egress-error.ts";
import { checkUrl, type EgressRules, guardedLookup, type Resolver } from "./guard.ts";

const connectMs = 2_000;
const exchangeMs = 5_000;
const maxBytes = 1024 * 1024;

export interface EgressRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH";
  /** Several values of a header are sent one by one. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Limit of the whole exchange; default 5 s. */
  readonly timeoutMs?: number;
  /** An additional limit of the caller, such as one for several exchanges together. */
  readonly signal?: AbortSignal | undefined;
  /** Called before the body is read; throws to reject the response. */
  readonly checkHead?: (head: EgressHead) => void;
}

export interface EgressHead {
  readonly status: number;
  /** Without parameters and in lower case; empty when there was none. */
  readonly contentType: string;
}

export interface EgressResponse extends EgressHead {
  readonly body: Buffer;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Outbound HTTP to addresses that come from records. */
export interface Egress {
  readonly rules: EgressRules;
  /**
   * One exchange: no redirect, no retry, at most 1 MiB, 5 s in all.
   *
   * @throws EgressError
   */
  request(url: string, options?: EgressRequest): Promise<EgressResponse>;
  /**
   * GET of a JSON object.
   *
   * @throws EgressError, `upstream_status` for anything but 200.
   */
  getJson(url: string, options?: Pick<EgressRequest, "signal">): Promise<JsonObject>;
  close(): Promise<void>;
}

const blockedCause = (error: unknown, depth = 0): EgressError | undefined => {
  if (error instanceof EgressError) return error;
  return error instanceof Error && depth < 4 ? blockedCause(error.cause, depth + 1) : undefined;
};

const isTimeout = (error: unknown): boolean =>
  error instanceof errors.ConnectTimeoutError ||
  error instanceof errors.HeadersTimeoutError ||
  error instanceof errors.BodyTimeoutError;

const egressError = (error: unknown): EgressError =>
  blockedCause(error) ??
  new EgressError(isTimeout(error) ? "upstream_timeout" : "upstream_unreachable", error);

const readAll = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new EgressError("response_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Copies the lists of values, which undici may modify. */
const mutableHeaders = (headers: EgressRequest["headers"] = {}): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  );

/** Discards an unread body; the resulting stream error is ignored. */
const discard = (body: Readable): void => void body.on("error", () => undefined).destroy();

const headerText = (value: string | string[] | undefined): string =>
  (Array.isArray(value) ? (value[0] ?? "") : (value ?? "")).toLowerCase();

/**
 * Opens outbound HTTP under the rules of this deployment. Proxy variables of the environment are ignored.
 *
 * @param resolver resolves names to addresses; the system's by default.
 */
export const openEgress = (rules: EgressRules, resolver?: Resolver): Egress => {
  const agent = new Agent({
    connect: { timeout: connectMs, lookup: guardedLookup(rules, resolver) },
    pipelining: 1,
    // One exchange has one connection: limits of time and size are then those of the exchange.
    allowH2: false,
    maxResponseSize: maxBytes,
  });

  const call = async (text: string, options: EgressRequest = {}): Promise<EgressResponse> => {
    const url = checkUrl(text, rules);
    const limit = AbortSignal.timeout(options.timeoutMs ?? exchangeMs);
    try {
      const response = await request(url, {
        dispatcher: agent,
        method: options.method ?? "GET",
        headers: { "Accept-Encoding": "identity", ...mutableHeaders(options.headers) },
        body: options.body ?? null,
        signal: options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]),
      });
      const contentType = headerText(response.headers["content-type"]).split(";")[0]?.trim() ?? "";
      const head = { status: response.statusCode, contentType };
      try {
        options.checkHead?.(head);
        const encoding = headerText(response.headers["content-encoding"]);
        if (encoding !== "" && encoding !== "identity") throw new EgressError("content_type_mismatch");
      } catch (error) {
        discard(response.body);
        throw error;
      }
      return { ...head, body: await readAll(response.body) };
    } catch (error) {
      if (error instanceof errors.ResponseExceededMaxSizeError)
        throw new EgressError("response_too_large", error);
      const late = limit.aborted || options.signal?.aborted === true;
      throw late ? new EgressError("upstream_timeout", error) : egressError(error);
    }
  };

  return {
    rules,
    request: call,
    getJson: async (url, options = {}) => {
      const response = await call(url, { ...options, headers: { Accept: "application/json" } });
      if (response.status !== 200) throw new EgressError("upstream_status", undefined, response.status);
      return jsonObject(response.body);
    },
    close: () => agent.destroy(),
  };
};

/** @throws EgressError `invalid_json` for anything but a JSON object. */
export const jsonObject = (bytes: Buffer): JsonObject => {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw new EgressError("invalid_json", cause);
  }
  if (!isJsonObject(value)) throw new EgressError("invalid_json");
  return value;
};

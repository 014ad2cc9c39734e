import type { CallOptions } from "../transport/options.ts";
import type { QueryValues } from "../transport/request.ts";
import type { Transport } from "../transport/transport.ts";

/** One call of the control plane. */
export interface AdminCall extends CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: QueryValues;
  readonly json?: unknown;
  readonly ifMatch?: string | undefined;
  /** By default that of a GET. */
  readonly idempotent?: boolean;
}

/** @returns the body, and the ETag of a record. */
// The caller names the type that the contract gives to the body.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const callAdmin = async <T>(
  transport: Transport,
  { method = "GET", path, query, json, ifMatch, idempotent = method === "GET", signal, timeoutMs }: AdminCall,
): Promise<{ readonly body: T; readonly etag: string | undefined }> => {
  const headers = { "if-match": ifMatch };
  const { body, headers: responseHeaders } = await transport.send<T>({
    method,
    path,
    query,
    headers,
    json,
    idempotent,
    signal,
    timeoutMs,
  });
  return { body, etag: responseHeaders.get("etag") ?? undefined };
};

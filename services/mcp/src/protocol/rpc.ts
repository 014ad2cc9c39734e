import type { ServerResponse } from "node:http";

/** Codes of JSON-RPC 2.0, section 5.1. */
export const parseError = -32700;
export const invalidRequest = -32600;
export const invalidParams = -32602;
export const internalError = -32603;
/** Codes of the protocol's own library for sessions, origins and media types. */
export const transportError = -32000;
export const sessionUnknown = -32001;

/** Answers a request with an error under its own id. */
export const answerError = (
  response: ServerResponse,
  id: string | number | undefined,
  code: number,
  message: string,
): void => {
  const body = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
  response.writeHead(200, { "Content-Type": "application/json" }).end(body);
};

/** A message that is refused before the library reads it: an HTTP status with a JSON-RPC error without an id. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly status: number;
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  get body(): object {
    return { jsonrpc: "2.0", error: { code: this.code, message: this.message } };
  }
}

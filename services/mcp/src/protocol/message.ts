import type { IncomingMessage } from "node:http";
import { isJsonObject, Problem } from "@ikg/contracts";
import { maxDepth, nestsWithin } from "@ikg/service";
import { invalidRequest, parseError, RpcError, transportError } from "./rpc.ts";

/** One message of JSON-RPC 2.0; the protocol's library checks `params` against its method. */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  /** Absent in a response. */
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const jsonType = /^application\/json[ \t]*(?:;|$)/i;
const decoder = new TextDecoder("utf-8", { fatal: true });

const isId = (value: unknown): boolean => typeof value === "string" || Number.isSafeInteger(value);

/** A request, a notification or a response; batches are in neither revision. */
const isMessage = (value: unknown): value is Message => {
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") return false;
  const { id, method, params, result, error } = value;
  if ("id" in value && !isId(id)) return false;
  if (params !== undefined && !isJsonObject(params)) return false;
  if (typeof method === "string") return result === undefined && error === undefined;
  return method === undefined && "id" in value && (isJsonObject(result) || isJsonObject(error));
};

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new RpcError(400, parseError, "Parse error: JSON in UTF-8 expected");
  }
};

/**
 * Reads the message of a POST.
 *
 * @param readBody of as many bytes as a message may have.
 * @throws RpcError 415, 400; Problem "body_too_large" (413).
 */
export const readMessage = async (
  request: IncomingMessage,
  readBody: () => Promise<Uint8Array>,
): Promise<Message> => {
  if (!jsonType.test(request.headers["content-type"] ?? ""))
    throw new RpcError(415, transportError, "Unsupported Media Type: application/json expected");
  let bytes: Uint8Array;
  try {
    bytes = await readBody();
  } catch (error) {
    if (error instanceof Problem && error.code === "malformed_body")
      throw new RpcError(400, parseError, "Parse error: the body ended early");
    throw error;
  }
  const value = parseJson(bytes);
  if (!nestsWithin(value, maxDepth + 4))
    throw new RpcError(400, invalidRequest, "Invalid Request: nested too deeply");
  if (Array.isArray(value))
    throw new RpcError(400, invalidRequest, "Invalid Request: one message a POST; batches are not supported");
  if (!isMessage(value))
    throw new RpcError(400, invalidRequest, "Invalid Request: not a message of JSON-RPC 2.0");
  return value;
};

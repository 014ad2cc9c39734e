import type { IncomingMessage, ServerResponse } from "node:http";
import { requestContextOf } from "@ikg/service";
import type { ClientOf } from "./client-address.ts";

/** Puts into the context of a request what is known of its client. */
export type NoteClient = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The host by which a client called a trusted proxy becomes that of the request: a proxy may have put its own name for the
 * gateway in its place, and mcp checks the name by which it is called.
 */
export const noteClientBy =
  (clientOf: ClientOf): NoteClient =>
  (request, response) => {
    const { address, scheme, host } = clientOf(request);
    const context = requestContextOf(response);
    context.address = address;
    context.scheme = scheme;
    if (host !== undefined) request.headers.host = host;
  };

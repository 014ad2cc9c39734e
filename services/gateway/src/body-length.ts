import type { IncomingMessage } from "node:http";

/** Bytes of a request's body as its `Content-Length` states them; 0 without one. */
export const bodyLength = ({ headers }: IncomingMessage): number => Number(headers["content-length"] ?? 0);

import type { Json } from "./json-schema.ts";

/** Media type of responses and requests of one JSON text a line. */
export const jsonLines = "application/x-ndjson";

/** What the document says of an operation beside its place and its access. */
export interface Content {
  readonly request?: Json;
  /** Type of the request's body, where it is not JSON. */
  readonly requestType?: string;
  readonly response?: Json;
  /** Type of the response's body, where it is not JSON. */
  readonly responseType?: string;
  /** What the lines are of a response that `Accept: application/x-ndjson` requests in place of JSON. */
  readonly responseLines?: string;
  /** Of a success. */
  readonly status?: number;
  /** It speaks of the end user, whose token it needs beside the key. */
  readonly ofUser?: true;
  readonly query?: readonly string[];
  readonly headers?: readonly string[];
}

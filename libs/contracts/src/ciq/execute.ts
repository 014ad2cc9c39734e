import { z } from "zod";
import { text } from "../names.ts";
import { optional } from "../optional.ts";
import { QueryExplanation } from "./explanation.ts";
import { resolverReasons } from "./resolver-reasons.ts";

const longText = text(0, 65_536);
const scalar = z.union([longText, z.number(), z.boolean()], {
  error: "string of at most 65536 characters, number or boolean expected",
});

/** `page_size` if it is absent, 0 or less, and its maximum. */
export const pageSize = { default: 100, max: 1000 } as const;

/** The minimum of the bytes of a page. */
const pageBytesMin = 1_000;

/** Body of POST /ciq/v1/execute. */
export const ExecuteRequest = z.object({
  /** Gid or name of a knowledge query of the caller's project. */
  id: text(1, 254),
  input_params: z
    .record(z.string(), z.union([scalar, z.array(scalar)]).nullish(), { error: "object expected" })
    .nullish()
    .transform((params) => params ?? {}),
  page_size: z
    .int({ error: "integer expected" })
    .max(pageSize.max, { error: `1-${pageSize.max}` })
    .nullish()
    .transform((size) => (size === null || size === undefined || size <= 0 ? pageSize.default : size)),
  /** `next_page_token` of the answer before, or the offset of the first row: see `offsetOfPageToken`. */
  page_token: z
    .int({ error: "integer expected" })
    .nullish()
    .transform((token) => token ?? 0),
  /** Bytes of the page at most, where fewer than the project's limit `page_bytes` are wanted. */
  page_bytes: optional(
    z.int({ error: "integer expected" }).min(pageBytesMin, { error: `at least ${pageBytesMin}` }),
  ),
});

const values = z.record(z.string(), z.unknown());

/** An external value that is null because it could not be resolved. */
const resolverError = z.object({
  /** Index in `data`. */
  row: z.int(),
  /** Key in the `nodes` of that row. */
  path: z.string(),
  /** The resolver as the property names it: a name or a gid. */
  resolver: z.string(),
  reason: z.enum(resolverReasons),
});

/** One row of an answer: values under the query's paths. */
export const ExecuteResponse = z.object({
  data: z.array(
    z.object({ nodes: values, relationships: values.optional(), aggregate_values: values.optional() }),
  ),
  /**
   * `page_token` of the page that follows; present only when this one ended early, because its rows would take more bytes
   * than a page may. To be repeated as it stands: it need not be the offset of a row.
   */
  next_page_token: z.int().optional(),
  /** External values that are missing; absent when none is. */
  errors: z.array(resolverError).optional(),
  /** With `X-Explain: true`. */
  explanation: QueryExplanation.optional(),
});

export type ExecuteRequest = z.output<typeof ExecuteRequest>;
export type ExecuteResponse = z.output<typeof ExecuteResponse>;
export type ResultRow = ExecuteResponse["data"][number];
export type ResolverError = z.output<typeof resolverError>;

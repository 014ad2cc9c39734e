import { mcpCalls } from "@ikg/auth";
import { isJsonObject, pageSize as pageSizes, pageTokenOfOffset } from "@ikg/contracts";
import { z } from "zod";
import type { CallService } from "./downstream.ts";
import type { PagedCall, PageTokens } from "./page-tokens.ts";
import { errorResult, serviceErrorResult, successResult } from "./result.ts";
import { explainProperty, type Tool, withArguments } from "./tool.ts";

const Arguments = z.looseObject({
  id: z.string({ error: "required: gid or name of a knowledge query" }).min(1),
  input_params: z.record(z.string(), z.unknown()).default({}),
  page_size: z.int().optional(),
  page_token: z
    .union([z.string(), z.int()], { error: "next_page_token of the answer before expected" })
    .optional(),
  explain: z.boolean().optional(),
});

const properties = {
  id: {
    type: "string",
    description: "Name or gid of a knowledge query; resources/list names them all with their parameters.",
  },
  input_params: {
    type: "object",
    description: "Values of the query's parameters by name, without the $ sign.",
  },
  page_size: {
    type: "integer",
    minimum: 1,
    maximum: 1_000,
    description: "Rows of an answer at most; 100 if left out.",
  },
  page_token: {
    type: "string",
    description:
      "Leave it out for the first page. For each further page: next_page_token of the answer before, exactly as it stands, " +
      "with the same id and input_params. It is no number and cannot be made up; pages are read one after the other.",
  },
} as const;

/** What models write for the first page besides nothing at all. */
const isFirstPage = (token: string | number | undefined): boolean =>
  token === undefined || ["", "0", "1"].includes(String(token));

const foreignToken = errorResult({
  status: 400,
  message: "arguments not valid",
  errors: [
    "page_token: not next_page_token of an answer to the same id and input_params; leave it out to begin with the first page",
  ],
});

/** The offset of this call; undefined for a page token of another call. */
const positionOf = (
  tokens: PageTokens,
  call: PagedCall,
  token: string | number | undefined,
  given: number | undefined,
): { readonly offset: number; readonly size: number } | undefined => {
  const requested = given === undefined || given > 0 ? given : pageSizes.default;
  if (isFirstPage(token)) return { offset: 0, size: requested ?? pageSizes.default };
  const position = tokens.read(String(token), call);
  return position && { offset: position.offset, size: requested ?? position.size };
};

/**
 * Runs a stored knowledge query as its policy allows.
 *
 * @param resultBytes bytes of the rows of one answer.
 */
export const executeTool = (callService: CallService, tokens: PageTokens, resultBytes: number): Tool => ({
  name: "ciq_execute",
  describe: (explain) => ({
    name: "ciq_execute",
    title: "Knowledge query",
    description:
      'Runs one of the knowledge queries that resources/list describes and answers {"data": [rows]}. A row holds ' +
      "values by path under `nodes`, `relationships` and `aggregate_values`. No rows are an answer, not an error. " +
      "An answer with next_page_token is not all: call again with that as page_token, until an answer has none; the last one may " +
      "have no rows. Some queries write; their description says so, and each page runs them again.",
    inputSchema: {
      type: "object",
      properties: { ...properties, ...(explain ? explainProperty : {}) },
      required: ["id"],
    },
    outputSchema: {
      type: "object",
      properties: {
        data: { type: "array", items: { type: "object" }, description: "Rows of the answer." },
        next_page_token: {
          type: "string",
          description: "There may be more rows: page_token of the next call.",
        },
      },
      required: ["data"],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  }),
  call: (mcpRequest, args, signal) =>
    withArguments(Arguments, args, async ({ id, input_params, page_size, page_token, explain }) => {
      const paged = { project: mcpRequest.endpoint.view.project.id, id, inputParams: input_params };
      const position = positionOf(tokens, paged, page_token, page_size);
      if (position === undefined) return foreignToken;
      const { offset, size } = position;
      const answer = await callService(mcpRequest, {
        target: mcpCalls.execute,
        body: {
          id,
          input_params,
          page_bytes: resultBytes,
          page_size: size,
          page_token: pageTokenOfOffset(offset, size),
        },
        explain: explain === true,
        signal,
      });
      if (answer.status !== 200 || !isJsonObject(answer.body)) return serviceErrorResult(answer);
      const { next_page_token: early, ...body } = answer.body;
      const rows = Array.isArray(body["data"]) ? body["data"].length : 0;
      const isLast = early === undefined && rows < size;
      const next = { offset: offset + rows, size };
      return successResult(isLast ? body : { ...body, next_page_token: tokens.issue(next, paged) });
    }),
});

import { z } from "zod";
import type { CallService } from "./downstream.ts";
import { refused, succeeded } from "./result.ts";
import { explainProperty, type Tool, withArguments } from "./tool.ts";

const Arguments = z.looseObject({
  id: z.string({ error: "required: gid or name of a knowledge query" }).min(1),
  input_params: z.record(z.string(), z.unknown()).default({}),
  page_size: z.int().optional(),
  page_token: z.int().optional(),
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
    type: "integer",
    minimum: 0,
    description:
      "Rows to leave out; 0 or left out for the first page. Where an answer has next_page_token, that; else, after a page " +
      "with page_size rows, as many as were answered so far.",
  },
} as const;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Runs a stored knowledge query as its policy allows.
 *
 * @param resultBytes bytes of the rows of one answer.
 */
export const executeTool = (callService: CallService, resultBytes: number): Tool => ({
  name: "ciq_execute",
  describe: (explain) => ({
    name: "ciq_execute",
    title: "Knowledge query",
    description:
      'Runs one of the knowledge queries that resources/list describes and answers {"data": [rows]}. A row holds ' +
      "values by path under `nodes`, `relationships` and `aggregate_values`. No rows are an answer, not an error. " +
      "With next_page_token the answer ended early, because its rows are large. Some queries write; their description says so.",
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
          type: "integer",
          description: "There are more rows: page_token of the next call.",
        },
      },
      required: ["data"],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  }),
  call: (visit, args, signal) =>
    withArguments(Arguments, args, async ({ id, input_params, page_size, page_token, explain }) => {
      const answer = await callService(visit, {
        service: "ciq",
        path: "/ciq/v1/execute",
        body: {
          id,
          input_params,
          page_bytes: resultBytes,
          ...(page_size === undefined ? {} : { page_size }),
          ...(page_token === undefined ? {} : { page_token }),
        },
        explain: explain === true,
        signal,
      });
      return answer.status === 200 && isObject(answer.body) ? succeeded(answer.body) : refused(answer);
    }),
});

import type { Operation } from "@ikg/contracts";
import { type Content, jsonLines } from "./operation-content.ts";
import { contents } from "./contents.ts";
import { type Example, examples } from "./examples.ts";
import { type Json, reference } from "./json-schema.ts";

const json = (schema: Json): Json => ({ "application/json": { schema } });

/** Named examples of an operation, as a media type has them. */
const examplesOf = (operation: string, of: (example: Example) => unknown): Json => {
  const named = examples.filter((each) => each.operation === operation && of(each) !== undefined);
  if (named.length === 0) return {};
  return { examples: Object.fromEntries(named.map((each) => [each.name, { value: of(each) }])) };
};

const errorLine: Json = {
  type: "object",
  properties: { error: reference("error") },
  required: ["error"],
};

/** The content of a successful response, by media type. */
const successContent = (
  { response = {}, responseType = "application/json", responseLines }: Content,
  named: Json,
): Json => ({
  [responseType]: { schema: response, ...named },
  ...(responseLines === undefined
    ? {}
    : {
        [jsonLines]: {
          schema: {
            type: "string",
            description: responseLines,
            contentMediaType: jsonLines,
            contentSchema: { anyOf: [response, errorLine] },
          },
        },
      }),
});

/** Records answer with many fields more than an example says of them. */
const isWhole = ({ service }: Operation, { response }: Example): boolean =>
  service !== "configs" && Object.keys(response as object).length > 0;

/** `create_project` is "Create project". */
const summaryOf = (operation: string): string =>
  `${operation.charAt(0).toUpperCase()}${operation.slice(1).replaceAll("_", " ")}`;

/** Types of query parameters that are no texts. */
const queryTypes: Readonly<Record<string, "integer" | "boolean">> = {
  version: "integer",
  page_token: "integer",
  page_size: "integer",
  pagesize: "integer",
  limit: "integer",
  full_fetch: "boolean",
  dry_run: "boolean",
};

const parametersOf = ({ path }: Operation, { query = [], headers = [] }: Content): readonly Json[] => [
  ...[...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  })),
  ...query.map((name) => ({
    name,
    in: "query",
    schema: { type: queryTypes[name] ?? "string" },
  })),
  ...headers.map((name) => ({ name, in: "header", schema: { type: "string" } })),
];

/** An operation as a path of the document has it. @throws when its content is not known */
export const operationOf = (operation: Operation): Json => {
  const content = contents.get(operation.operation);
  if (content === undefined) throw new Error(`no schema for ${operation.operation}`);
  const { request, requestType = "application/json", status = 200, ofUser } = content;
  const parameters = parametersOf(operation, content);
  const requestExamples = examplesOf(operation.operation, (example) => example.request);
  const responseExamples = examplesOf(operation.operation, (example) =>
    isWhole(operation, example) ? example.response : undefined,
  );
  const { access, service, method } = operation;
  return {
    // One name for each method, as the document wants it.
    operationId:
      operation.operation === "upsert_nodes" && method === "put" ? "put_nodes" : operation.operation,
    summary: summaryOf(operation.operation),
    tags: [service],
    security: [
      ...(access.credential === "administrator"
        ? []
        : ofUser === true
          ? [{ clientKey: [], userToken: [] }]
          : [{ clientKey: [] }, { clientKeyAsBearer: [] }]),
      ...(access.credential === "client_key" ? [] : [{ serviceAccount: [] }]),
    ],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [requestType]: { schema: request, ...requestExamples } },
          },
        }),
    responses: {
      [String(status)]: {
        description: "Success",
        content: successContent(content, responseExamples),
      },
      "4XX": {
        description: "The request is at fault; `message` and `errors` say why",
        content: json(reference("error")),
      },
      "5XX": {
        description:
          "It could not be carried out now; `Retry-After` says when to ask again, where that is known",
        content: json(reference("error")),
      },
    },
  };
};

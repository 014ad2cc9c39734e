/**
 * The OpenAPI document, made from the table of operations and the schemas of the contract. What is not in that table is
 * not in the document: /mcp, metadata documents and published keys.
 */
import { CompleteLine, NodeLine, operations, recordDescriptions, RelationshipLine } from "@ikg/contracts";
import { z } from "zod";
import { input, type Json, output } from "./json-schema.ts";
import { operationOf } from "./operation.ts";

const pathOf = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

/** OpenAPI 3.1. */
export const openApi = (): Json => ({
  openapi: "3.1.0",
  info: {
    title: "IKG",
    version: "1",
    description: "Who may do what with which data, and why.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "http://127.0.0.1:8080" }],
  paths: Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, ofPath]) => [
      pathOf(path),
      Object.fromEntries(ofPath.map((operation) => [operation.method, operationOf(operation)])),
    ]),
  ),
  components: {
    securitySchemes: {
      clientKey: { type: "apiKey", in: "header", name: "X-SVC-ClientKey" },
      clientKeyAsBearer: {
        type: "http",
        scheme: "bearer",
        description: "The same key, for clients that know one header only; never together with the other",
      },
      serviceAccount: {
        type: "http",
        scheme: "bearer",
        description: "The token of a service account, or the access token of a person who administers",
      },
      userToken: {
        type: "http",
        scheme: "bearer",
        description: "The end user's token, of an issuer that the project trusts",
      },
    },
    schemas: {
      error: {
        type: "object",
        properties: { message: { type: "string" }, errors: { type: "array", items: { type: "string" } } },
        required: ["message"],
      },
      import_line: input(z.union([NodeLine, RelationshipLine, CompleteLine])),
      ...Object.fromEntries(recordDescriptions.map(({ singular, record }) => [singular, output(record)])),
    },
  },
});

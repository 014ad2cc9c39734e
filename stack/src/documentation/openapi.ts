/**
 * The OpenAPI document, made from the table of operations and the schemas of the contract. What is not in that table is
 * not in the document: /mcp, metadata documents and published keys.
 */
import {
  ActionResults,
  Administrator,
  AppliedChanges,
  CaptureResults,
  ChangeRecords,
  ChangeRecordWithTexts,
  ChangeSet,
  DataSchema,
  Decision,
  Decisions,
  DeleteMetadataRequest,
  DeleteNodePropertiesRequest,
  DeleteNodesRequest,
  DeleteRelationshipPropertiesRequest,
  DeleteRelationshipsRequest,
  EvaluationRequest,
  EvaluationsRequest,
  ExecuteRequest,
  ExecuteResponse,
  type Field,
  Identity,
  Import,
  Imports,
  CompleteLine,
  Neighbours,
  NodeLine,
  NodeSummaries,
  type Operation,
  operations,
  OrganizationRecord,
  Policies,
  PreviewOptions,
  ProjectExport,
  PutNodeRequest,
  PutNodeResult,
  type RecordDescription,
  recordDescriptions,
  RecordVersions,
  RejectedLines,
  RelationshipLine,
  Replay,
  ReplayRequest,
  RevertRequest,
  RollbackRequest,
  SearchActionRequest,
  SearchResourceRequest,
  SearchResults,
  SearchSubjectRequest,
  Simulation,
  SimulationRequest,
  SuiteStatus,
  UpsertNodesRequest,
  UpsertRelationshipsRequest,
  UpsertResults,
  Validation,
  WholeNode,
} from "@ikg/contracts";
import { Batch, Checkpoint, Manifest } from "@ikg/audit";
import { z } from "zod";
import { type Example, examples } from "./openapi-examples.ts";

type Json = Readonly<Record<string, unknown>>;

const schemaOf = (schema: z.ZodType, io: "input" | "output"): Json => {
  // What a transformation makes of a value has no schema; its input is then anything, and the rule says what.
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
};

/** For a field that may be absent `null` is the same; what may be anything may be that, too. */
const orNull = (schema: Json): Json =>
  Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: "null" }] };

const described = (field: Field, required: boolean): Json => {
  const schema = schemaOf(field.schema, "input");
  return {
    ...(required ? schema : orNull(schema)),
    description: field.rule,
    ...(field.default === undefined ? {} : { default: field.default }),
  };
};

const bodyOf = (
  { fields }: RecordDescription,
  taken: (field: Field) => boolean,
  required: (field: Field) => boolean,
): Json => {
  const entries = Object.entries(fields).filter(([, field]) => taken(field));
  const names = entries.filter(([, field]) => required(field)).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, described(field, required(field))])),
    ...(names.length === 0 ? {} : { required: names }),
  };
};

const createBody = (description: RecordDescription): Json =>
  bodyOf(
    description,
    () => true,
    ({ create }) => create === "required",
  );

/** A create body, and what is to be answered of it besides. */
const validateBody = (description: RecordDescription): Json => {
  const body = createBody(description);
  const { properties } = schemaOf(PreviewOptions, "input");
  return { ...body, properties: { ...(body["properties"] as Json), ...(properties as Json) } }; // schemas of objects
};

const updateBody = (description: RecordDescription): Json =>
  bodyOf(
    description,
    ({ update }) => update !== "ignored",
    ({ update }) => update === "required",
  );

interface Content {
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

const jsonLines = "application/x-ndjson";

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** What is answered when a record is saved: of what can be validated also what it is warned of. */
const savedOf = ({ singular, record }: RecordDescription): Json =>
  operations.some(({ operation }) => operation === `validate_${singular}`)
    ? schemaOf(record.extend({ warnings: z.array(z.looseObject({})) }), "output")
    : reference(singular);

const contentsOf = (description: RecordDescription): readonly (readonly [string, Content])[] => {
  const { singular, plural, scope, named, listTypes, etagInQuery } = description;
  const record = reference(singular);
  const saved = savedOf(description);
  const list = { type: "object", properties: { data: { type: "array", items: record } } };
  return [
    [`create_${singular}`, { request: createBody(description), response: saved, status: 201 }],
    [
      `list_${plural}`,
      {
        response: list,
        query: [`${scope}_id`, "search", ...(listTypes === undefined ? [] : ["type"]), "full_fetch"],
      },
    ],
    [`read_${singular}`, { response: record, query: named ? [`${scope}_id`, "location", "version"] : [] }],
    [`update_${singular}`, { request: updateBody(description), response: saved, headers: ["If-Match"] }],
    [
      `delete_${singular}`,
      {
        response: { type: "object", properties: { id: { type: "string" } } },
        query: etagInQuery === true ? ["etag"] : [],
        headers: ["If-Match"],
      },
    ],
    [`validate_${singular}`, { request: validateBody(description), response: output(Validation) }],
  ];
};

const organization = { response: schemaOf(OrganizationRecord, "output") };
const input = (schema: z.ZodType): Json => schemaOf(schema, "input");
const output = (schema: z.ZodType): Json => schemaOf(schema, "output");

/** Operations of capture that take a batch. */
const batches: readonly (readonly [operation: string, request: z.ZodType, response: z.ZodType])[] = [
  ["upsert_nodes", UpsertNodesRequest, UpsertResults],
  ["delete_nodes", DeleteNodesRequest, CaptureResults],
  ["delete_node_properties", DeleteNodePropertiesRequest, CaptureResults],
  ["delete_node_metadata", DeleteMetadataRequest, CaptureResults],
  ["upsert_relationships", UpsertRelationshipsRequest, UpsertResults],
  ["delete_relationships", DeleteRelationshipsRequest, CaptureResults],
  ["delete_relationship_properties", DeleteRelationshipPropertiesRequest, CaptureResults],
];

const auditPage = (item: z.ZodType, ...filters: readonly string[]): Content => ({
  response: output(z.object({ items: z.array(item), has_more: z.boolean(), next_cursor: z.string() })),
  query: ["project_id", "cursor", "pagesize", ...filters],
});

/** Versions of one collection. Not every collection has these operations: those that it lacks are not looked up. */
const versionContents = (description: RecordDescription): readonly (readonly [string, Content])[] => [
  [
    `list_${description.singular}_versions`,
    { response: output(RecordVersions), query: ["cursor", "pagesize"] },
  ],
  [
    `rollback_${description.singular}`,
    { request: input(RollbackRequest), response: savedOf(description), headers: ["If-Match"] },
  ],
];

const consistent = ["X-Consistency-Token"];
const explained = ["X-Explain", ...consistent];

const contents: ReadonlyMap<string, Content> = new Map<string, Content>([
  ...recordDescriptions.flatMap(contentsOf),
  ...recordDescriptions.flatMap(versionContents),
  ["apply_changes", { request: input(ChangeSet), response: output(AppliedChanges), query: ["dry_run"] }],
  ["list_changes", { response: output(ChangeRecords), query: ["project_id", "cursor", "pagesize"] }],
  ["read_change", { response: output(ChangeRecordWithTexts) }],
  ["revert_change", { request: input(RevertRequest), response: output(AppliedChanges) }],
  ["export_project", { response: output(ProjectExport), query: ["project_id"] }],
  ["current_administrator", { response: output(Administrator) }],
  ["read_suite_status", { response: output(SuiteStatus) }],
  ["current_organization", organization],
  ["read_organization", organization],
  ...batches.map(
    ([operation, request, response]) =>
      [operation, { request: input(request), response: output(response) }] as const,
  ),
  [
    "create_import",
    {
      request: {
        type: "string",
        description: "Lines; optionally gzip",
        contentMediaType: jsonLines,
        contentSchema: reference("import_line"),
      },
      requestType: jsonLines,
      response: output(Import),
      status: 202,
    },
  ],
  ["list_imports", { response: output(Imports) }],
  ["read_import", { response: output(Import) }],
  ["list_rejected_lines", { response: output(RejectedLines), query: ["page_token", "page_size"] }],
  ["cancel_import", { response: output(Import) }],
  [
    "export_graph",
    {
      response: {
        type: "string",
        description: "Lines that an import takes; gzip for `Accept-Encoding`; the last one is `complete`",
        contentMediaType: jsonLines,
        contentSchema: reference("import_line"),
      },
      responseType: jsonLines,
      query: ["types", "project_id"],
    },
  ],
  ["put_node", { request: input(PutNodeRequest), response: output(PutNodeResult) }],
  ["read_data_schema", { response: output(DataSchema), query: ["project_id"] }],
  ["evaluate", { request: input(EvaluationRequest), response: output(Decision), headers: explained }],
  [
    "evaluate_batch",
    {
      request: input(EvaluationsRequest),
      response: output(z.union([Decisions, Decision])),
      headers: explained,
    },
  ],
  [
    "search_resource",
    { request: input(SearchResourceRequest), response: output(SearchResults), headers: consistent },
  ],
  [
    "search_subject",
    { request: input(SearchSubjectRequest), response: output(SearchResults), headers: consistent },
  ],
  ["list_active_policies", { response: output(Policies), query: ["subject_type"] }],
  [
    "search_action",
    { request: input(SearchActionRequest), response: output(ActionResults), headers: explained },
  ],
  [
    "simulate",
    {
      request: input(SimulationRequest),
      response: output(Simulation),
      responseLines: "One for each page of subjects; the last one is the answer, or has `error`",
    },
  ],
  ["replay", { request: input(ReplayRequest), response: output(Replay) }],
  ["execute", { request: input(ExecuteRequest), response: output(ExecuteResponse), headers: explained }],
  ["whoami", { response: output(Identity), ofUser: true }],
  [
    "list_nodes",
    { response: output(NodeSummaries), query: ["project_id", "type", "prefix", "cursor", "limit"] },
  ],
  ["read_node", { response: output(WholeNode), query: ["project_id", "external_id"] }],
  [
    "list_neighbours",
    {
      response: output(Neighbours),
      query: ["project_id", "types", "direction", "cursor", "limit", "external_id"],
    },
  ],
  ["list_audit_logs", auditPage(Batch, "since", "until", "order")],
  ["list_audit_manifests", auditPage(Manifest)],
  ["list_audit_checkpoints", auditPage(Checkpoint)],
]);

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

const operationOf = (operation: Operation): Json => {
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
      ...Object.fromEntries(
        recordDescriptions.map(({ singular, record }) => [singular, schemaOf(record, "output")]),
      ),
    },
  },
});

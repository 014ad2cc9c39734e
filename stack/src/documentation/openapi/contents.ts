/** Contents of all operations: the schemas of their requests and responses, their query parameters and headers. */
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
  Identity,
  Import,
  Imports,
  Neighbours,
  NodeSummaries,
  OrganizationRecord,
  Policies,
  ProjectExport,
  PutNodeRequest,
  PutNodeResult,
  recordDescriptions,
  RejectedLines,
  Replay,
  ReplayRequest,
  RevertRequest,
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
  WholeNode,
} from "@ikg/contracts";
import { Batch, Checkpoint, Manifest } from "@ikg/audit";
import { z } from "zod";
import { type Content, jsonLines } from "./operation-content.ts";
import { input, output, reference } from "./json-schema.ts";
import { recordContents, versionContents } from "./record-contents.ts";

const organization = { response: output(OrganizationRecord) };

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

const consistent = ["X-Consistency-Token"];
const explained = ["X-Explain", ...consistent];

export const contents: ReadonlyMap<string, Content> = new Map<string, Content>([
  ...recordDescriptions.flatMap(recordContents),
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

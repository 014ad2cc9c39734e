/** Types of requests and responses of the data plane and of changes, audit records and replays. */
import { Batch, Checkpoint, Manifest } from "@ikg/audit";
import {
  Action,
  ActionResults,
  Administrator,
  AppliedChanges,
  CandidateExplanation,
  ChangeRecord,
  ChangeRecordWithTexts,
  Context,
  DataSchema,
  Decision,
  DeleteMetadataRequest,
  DeleteNodePropertiesRequest,
  DeleteRelationshipPropertiesRequest,
  DeleteRelationshipsRequest,
  Entity,
  EntityType,
  ExecuteResponse,
  Explanation,
  Identity,
  Import,
  Metadata,
  Neighbour,
  NodeRef,
  NodeSummary,
  NodeTrustScore,
  OrganizationRecord,
  PatternPart,
  Policies,
  PolicyContent,
  PreviewOptions,
  ProjectExport,
  Property,
  PutNodeRequest,
  PutNodeResult,
  QueryContent,
  QueryExplanation,
  ReadProperty,
  ChangeSetEntry,
  RecordTransition,
  RecordVersions,
  RejectedLines,
  RelationshipProperty,
  Replay,
  ReplayedDecision,
  ReplayRequest,
  SearchResults,
  SimulatedQuestion,
  Simulation,
  SimulationRequest,
  SkippedItem,
  SuiteStatus,
  UpsertNode,
  UpsertRelationship,
  UpsertResults,
  Validation,
  WholeNode,
} from "@ikg/contracts";
import type { z } from "zod";
import { type Direction, isObject, typeText } from "./type-text.ts";

/** The schema of one item of a list that a request has. */
const itemOf = (request: z.ZodObject, list: string): z.ZodType => {
  let schema = request.shape[list] as z.ZodType;
  for (;;) {
    const { out, element } = schema.def as unknown as {
      readonly out?: z.ZodType;
      readonly element?: z.ZodType;
    }; // of zod 4
    const inside = out ?? element;
    if (inside === undefined) return schema;
    schema = inside;
  }
};

interface WireType {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly direction: Direction;
  readonly description: string;
}

const requestType = (name: string, schema: z.ZodType, description: string): WireType => ({
  name,
  schema,
  direction: "input",
  description,
});
const responseType = (name: string, schema: z.ZodType, description: string): WireType => ({
  name,
  schema,
  direction: "output",
  description,
});

/** The description that a schema has itself. */
const descriptionOf = ({ description }: z.ZodType): string => {
  if (description === undefined) throw new Error("the schema has no description");
  return description;
};

const declarations: readonly WireType[] = [
  requestType("Entity", Entity, "A subject or resource: a node by its type and external id."),
  requestType("EntityType", EntityType, "A subject or resource that is searched for."),
  requestType("Action", Action, "What a subject wants to do."),
  requestType("Context", Context, "What a policy may read besides the graph."),
  responseType(
    "Decision",
    Decision,
    "A decision. `context` is there only when there is something to report.",
  ),
  responseType("Explanation", Explanation, "The outcome of each policy for a question, and why."),
  responseType("CandidateExplanation", CandidateExplanation, "The outcome of one policy for a question."),
  responseType(
    "PatternPart",
    PatternPart,
    "A part of a policy's pattern, by its place in the author's text.",
  ),
  responseType("SearchResults", SearchResults, "A page of a search for subjects or resources."),
  responseType("ActionResults", ActionResults, "A page of a search for actions."),
  responseType("ActivePolicies", Policies, "Active policies as their authors wrote them."),
  responseType("QueryPage", ExecuteResponse, "A page of rows of a knowledge query."),
  responseType("QueryExplanation", QueryExplanation, "Why a knowledge query answered what it answered."),
  responseType("Identity", Identity, "The node that a person's token stands for."),
  requestType("NodeRef", NodeRef, "A node by its type and external id."),
  requestType("Metadata", Metadata, "What is known of the value of a property."),
  requestType("Property", Property, "A property of a node: exactly one of `value` and `external_value`."),
  requestType("GraphNode", UpsertNode, "A node to write."),
  requestType("NodeContent", PutNodeRequest, "What may be written of a node that exists."),
  requestType("RelationshipProperty", RelationshipProperty, "A property of a relationship."),
  requestType("GraphRelationship", UpsertRelationship, "A relationship to write."),
  requestType(
    "RelationshipRef",
    itemOf(DeleteRelationshipsRequest, "relationships"),
    "A relationship to delete.",
  ),
  requestType(
    "NodeProperties",
    itemOf(DeleteNodePropertiesRequest, "nodes"),
    "Properties of a node to delete.",
  ),
  requestType(
    "NodeMetadata",
    itemOf(DeleteMetadataRequest, "nodes"),
    "Metadata of a property of a node to delete.",
  ),
  requestType(
    "RelationshipProperties",
    itemOf(DeleteRelationshipPropertiesRequest, "relationships"),
    "Properties of a relationship to delete.",
  ),
  responseType("SkippedItem", SkippedItem, "An item that was left out: its index, and why."),
  responseType("UpsertResults", UpsertResults, "One result for each item, in the order of the items."),
  responseType("PutNodeResult", PutNodeResult, "The node that was written."),
  responseType("Import", Import, "The state of an import. Numbers count lines."),
  responseType("RejectedLines", RejectedLines, "A page of lines that were not written."),
  responseType("DataSchema", DataSchema, "Statistics of a project's graph in JSON Graph Format."),
  responseType("NodeSummary", NodeSummary, "A node as lists have it, without its properties."),
  responseType("ReadProperty", ReadProperty, "A property of a node as it is stored."),
  responseType(
    "NodeTrustScore",
    NodeTrustScore,
    "Trust scores of a node; null for a dimension without a score.",
  ),
  responseType("WholeNode", WholeNode, "Everything that is stored of a node."),
  responseType("Neighbour", Neighbour, "A relationship of a node with the node at its other end."),
  responseType("Administrator", Administrator, "Who administers, and with which roles."),
  responseType(
    "SuiteStatus",
    SuiteStatus,
    "Every service with its processes, as they have reported themselves.",
  ),
  responseType("OrganizationRecord", OrganizationRecord, "The organization of a service account."),
  requestType("PolicyContent", PolicyContent, descriptionOf(PolicyContent)),
  requestType("QueryContent", QueryContent, descriptionOf(QueryContent)),
  requestType("ChangeSetEntry", ChangeSetEntry, "One change of a set: `put` creates or replaces by name."),
  responseType(
    "RecordTransition",
    RecordTransition,
    "What became of one record: version 0 is a record that does not exist.",
  ),
  responseType("ChangeRecord", ChangeRecord, "What was changed together."),
  responseType("ChangeRecordWithTexts", ChangeRecordWithTexts, "The same with each record before and after."),
  responseType(
    "AppliedChanges",
    AppliedChanges,
    "What a change set did or would do; without `id` nothing was stored.",
  ),
  responseType("RecordVersions", RecordVersions, "A page of versions, newest first."),
  responseType("ProjectExport", ProjectExport, "Every record of a project."),
  requestType("PreviewOptions", PreviewOptions, "What a validation answers besides warnings."),
  responseType("Validation", Validation, "Warnings about a text, and with `preview` its statements."),
  requestType("SimulationRequest", SimulationRequest, "Changes that are not made, and what to look at."),
  responseType("Simulation", Simulation, "Whose access changes would give or take."),
  responseType(
    "SimulatedQuestion",
    SimulatedQuestion,
    "The difference for one subject type, action and resource type.",
  ),
  requestType("ReplayRequest", ReplayRequest, "Recorded decisions that are decided again."),
  responseType("Replay", Replay, "One result for each decision, in the order of the records."),
  responseType("ReplayedDecision", ReplayedDecision, "What became of one recorded decision."),
  responseType("AuditBatch", Batch, "A batch of audit records."),
  responseType("AuditManifest", Manifest, "What was signed of a batch."),
  responseType("AuditCheckpoint", Checkpoint, "The length of a chain at a time."),
];

/** Members that the contract judges in code, or that are narrower for those who read. A type that ends in `!` is required. */
const members = new Map<string, string | undefined>([
  ["Property.value", "Value"],
  ["RelationshipProperty.value", "Value!"],
  ["RelationshipProperty.external_value", undefined],
  ["RelationshipProperty.metadata", undefined],
  ["Metadata.assurance_level", "1 | 2 | 3"],
  ["Metadata.custom_metadata", "Readonly<Record<string, Value>>"],
  ["RelationshipRef.properties", "readonly RelationshipProperty[]"],
  ["RelationshipProperties.properties", "readonly RelationshipProperty[]"],
  ["ReplayRequest.records", "readonly AuditRecord[]!"],
  ["PutNodeResult.results", undefined],
  ["ReadProperty.value", "Value"],
  ["AuditBatch.data", "AuditRecord[]!"],
  ["ProjectExport.changes", 'Extract<ChangeSetEntry, { op: "put" }>[]'],
]);

const preamble = `
/** A stored value: a scalar, or a list of one kind of scalar. */
export type Value = string | number | boolean | readonly (string | number | boolean)[];

/** A row of a knowledge query: values under the query's paths. */
export type ResultRow = QueryPage["data"][number];

/** An audit record, as the export hands it out. */
export interface AuditRecord { readonly type: string; readonly id: string; readonly [member: string]: unknown }
`;

const namesOf = (direction: Direction): ReadonlyMap<z.ZodType, string> =>
  new Map(
    declarations.filter((each) => each.direction === direction).map(({ name, schema }) => [schema, name]),
  );

export const wireTypes = (): string => {
  const names = { input: namesOf("input"), output: namesOf("output") };
  const types = declarations.map(({ name, schema, direction, description }) => {
    const text = typeText(schema, name, { direction, names: names[direction], members });
    const declaration = isObject(schema) ? `interface ${name} ${text}` : `type ${name} = ${text};`;
    return `/** ${description} */\nexport ${declaration}\n`;
  });
  return preamble + types.join("\n");
};

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

interface Declared {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly direction: Direction;
  readonly says: string;
}

const sent = (name: string, schema: z.ZodType, says: string): Declared => ({
  name,
  schema,
  direction: "input",
  says,
});
const answered = (name: string, schema: z.ZodType, says: string): Declared => ({
  name,
  schema,
  direction: "output",
  says,
});

/** The description that a schema has itself. */
const descriptionOf = ({ description }: z.ZodType): string => {
  if (description === undefined) throw new Error("the schema has no description");
  return description;
};

const declared: readonly Declared[] = [
  sent("Entity", Entity, "A subject or resource: a node by its type and external id."),
  sent("EntityType", EntityType, "A subject or resource that is searched for."),
  sent("Action", Action, "What a subject wants to do."),
  sent("Context", Context, "What a policy may read besides the graph."),
  answered("Decision", Decision, "A decision. `context` is there only when there is something to report."),
  answered("Explanation", Explanation, "The outcome of each policy for a question, and why."),
  answered("CandidateExplanation", CandidateExplanation, "The outcome of one policy for a question."),
  answered("PatternPart", PatternPart, "A part of a policy's pattern, by its place in the author's text."),
  answered("SearchResults", SearchResults, "A page of a search for subjects or resources."),
  answered("ActionResults", ActionResults, "A page of a search for actions."),
  answered("ActivePolicies", Policies, "Active policies as their authors wrote them."),
  answered("QueryPage", ExecuteResponse, "A page of rows of a knowledge query."),
  answered("QueryExplanation", QueryExplanation, "Why a knowledge query answered what it answered."),
  answered("Identity", Identity, "The node that a person's token stands for."),
  sent("NodeRef", NodeRef, "A node by its type and external id."),
  sent("Metadata", Metadata, "What is known of the value of a property."),
  sent("Property", Property, "A property of a node: exactly one of `value` and `external_value`."),
  sent("GraphNode", UpsertNode, "A node to write."),
  sent("NodeContent", PutNodeRequest, "What may be written of a node that exists."),
  sent("RelationshipProperty", RelationshipProperty, "A property of a relationship."),
  sent("GraphRelationship", UpsertRelationship, "A relationship to write."),
  sent("RelationshipRef", itemOf(DeleteRelationshipsRequest, "relationships"), "A relationship to delete."),
  sent("NodeProperties", itemOf(DeleteNodePropertiesRequest, "nodes"), "Properties of a node to delete."),
  sent("NodeMetadata", itemOf(DeleteMetadataRequest, "nodes"), "Metadata of a property of a node to delete."),
  sent(
    "RelationshipProperties",
    itemOf(DeleteRelationshipPropertiesRequest, "relationships"),
    "Properties of a relationship to delete.",
  ),
  answered("SkippedItem", SkippedItem, "An item that was left out: its index, and why."),
  answered("UpsertResults", UpsertResults, "One result for each item, in the order of the items."),
  answered("PutNodeResult", PutNodeResult, "The node that was written."),
  answered("Import", Import, "The state of an import. Numbers count lines."),
  answered("RejectedLines", RejectedLines, "A page of lines that were not written."),
  answered("DataSchema", DataSchema, "Statistics of a project's graph in JSON Graph Format."),
  answered("NodeSummary", NodeSummary, "A node as lists have it, without its properties."),
  answered("ReadProperty", ReadProperty, "A property of a node as it is stored."),
  answered("NodeTrustScore", NodeTrustScore, "Trust scores of a node; null for a dimension without a score."),
  answered("WholeNode", WholeNode, "Everything that is stored of a node."),
  answered("Neighbour", Neighbour, "A relationship of a node with the node at its other end."),
  answered("Administrator", Administrator, "Who administers, and with which roles."),
  answered("SuiteStatus", SuiteStatus, "Every service with its processes, as they have reported themselves."),
  answered("OrganizationRecord", OrganizationRecord, "The organization of a service account."),
  sent("PolicyContent", PolicyContent, descriptionOf(PolicyContent)),
  sent("QueryContent", QueryContent, descriptionOf(QueryContent)),
  sent("ChangeSetEntry", ChangeSetEntry, "One change of a set: `put` creates or replaces by name."),
  answered(
    "RecordTransition",
    RecordTransition,
    "What became of one record: version 0 is a record that does not exist.",
  ),
  answered("ChangeRecord", ChangeRecord, "What was changed together."),
  answered("ChangeRecordWithTexts", ChangeRecordWithTexts, "The same with each record before and after."),
  answered(
    "AppliedChanges",
    AppliedChanges,
    "What a change set did or would do; without `id` nothing was stored.",
  ),
  answered("RecordVersions", RecordVersions, "A page of versions, newest first."),
  answered("ProjectExport", ProjectExport, "Every record of a project."),
  sent("PreviewOptions", PreviewOptions, "What a validation answers besides warnings."),
  answered("Validation", Validation, "Warnings about a text, and with `preview` its statements."),
  sent("SimulationRequest", SimulationRequest, "Changes that are not made, and what to look at."),
  answered("Simulation", Simulation, "Whose access changes would give or take."),
  answered(
    "SimulatedQuestion",
    SimulatedQuestion,
    "The difference for one subject type, action and resource type.",
  ),
  sent("ReplayRequest", ReplayRequest, "Recorded decisions that are decided again."),
  answered("Replay", Replay, "One result for each decision, in the order of the records."),
  answered("ReplayedDecision", ReplayedDecision, "What became of one recorded decision."),
  answered("AuditBatch", Batch, "A batch of audit records."),
  answered("AuditManifest", Manifest, "What was signed of a batch."),
  answered("AuditCheckpoint", Checkpoint, "The length of a chain at a time."),
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
  new Map(declared.filter((each) => each.direction === direction).map(({ name, schema }) => [schema, name]));

export const wireTypes = (): string => {
  const names = { input: namesOf("input"), output: namesOf("output") };
  const types = declared.map(({ name, schema, direction, says }) => {
    const text = typeText(schema, name, { direction, names: names[direction], members });
    const declaration = isObject(schema) ? `interface ${name} ${text}` : `type ${name} = ${text};`;
    return `/** ${says} */\nexport ${declaration}\n`;
  });
  return preamble + types.join("\n");
};

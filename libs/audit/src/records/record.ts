import { z } from "zod";
import { authoring, configuration, credential, introspection, rejection } from "./configuration.ts";
import { evaluation, evaluations, replay, search, simulation } from "./decisions.ts";
import { envelope } from "./envelope.ts";
import { graphExport, graphRead, nodes, relationships } from "./graph-data.ts";
import { call, query, run, signing, streams } from "./work.ts";

/** What each type of record holds as `data`. */
export const recordData = {
  "audit.config.create": configuration,
  "audit.config.update": configuration,
  "audit.config.delete": configuration,
  "audit.config.read": configuration,
  "audit.config.changes": authoring,
  "audit.credentials.create": credential,
  "audit.credentials.delete": credential,
  "audit.credentials.rejected": rejection,
  "audit.credentials.token.introspected": introspection,
  "audit.capture.upsert.node": nodes,
  "audit.capture.upsert.relationship": relationships,
  "audit.capture.delete.node": nodes,
  "audit.capture.delete.node.property": nodes,
  "audit.capture.delete.node.property.metadata": nodes,
  "audit.capture.delete.relationship": relationships,
  "audit.capture.delete.relationship.property": relationships,
  "audit.capture.export": graphExport,
  "audit.authorization.evaluation": evaluation,
  "audit.authorization.evaluations": evaluations,
  "audit.authorization.searchsubject": search,
  "audit.authorization.searchresource": search,
  "audit.authorization.searchaction": search,
  "audit.authorization.simulation": simulation,
  "audit.authorization.replay": replay,
  "audit.ciq.execute": query,
  "audit.graph.read": graphRead,
  "audit.mcp.call": call,
  "audit.trustscore.run": run,
  "audit.signing.failed": signing,
  "audit.signing.recovered": signing,
  "audit.signing.rotated": signing,
  "audit.streams.replaced": streams,
} as const;

export type AuditType = keyof typeof recordData;

export type DataOf<T extends AuditType> = z.output<(typeof recordData)[T]>;

const of = <T extends AuditType>(type: T) =>
  z.strictObject({ ...envelope, type: z.literal(type), data: recordData[type] });

/** One schema for each type of record. */
export const recordSchemas = Object.fromEntries(
  (Object.keys(recordData) as AuditType[]).map((type) => [type, of(type)]), // the keys of the table above
) as { readonly [T in AuditType]: ReturnType<typeof of<T>> }; // one entry for each of them

/** A record as it is emitted. */
export type AuditRecord = {
  [T in AuditType]: z.output<(typeof recordSchemas)[T]>;
}[AuditType];

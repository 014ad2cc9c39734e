import type { AuditRecord } from "@ikg/client";
import { countText } from "../../../text/count-text.ts";
import { isObject, type Members, textOf, typeOf } from "../../../text/json.ts";
import { type Names, shortGid } from "./names.ts";

/** What a record that is no decision is about. */
export interface Description {
  readonly title: string;
  /** What it was done to; empty where the record does not say. */
  readonly detail: string;
}

const titles: Readonly<Record<string, string>> = {
  "audit.authorization.evaluation": "Decision",
  "audit.authorization.evaluations": "Batch of decisions",
  "audit.authorization.searchsubject": "Search for subjects",
  "audit.authorization.searchresource": "Search for resources",
  "audit.authorization.searchaction": "Search for actions",
  "audit.config.create": "Created",
  "audit.config.update": "Changed",
  "audit.config.delete": "Deleted",
  "audit.config.read": "Read",
  "audit.config.changes": "Change history",
  "audit.credentials.create": "Credential created",
  "audit.credentials.delete": "Credential deleted",
  "audit.credentials.rejected": "Credential refused",
  "audit.credentials.token.introspected": "Token introspected",
  "audit.capture.upsert.node": "Nodes written",
  "audit.capture.upsert.relationship": "Relationships written",
  "audit.capture.delete.node": "Nodes deleted",
  "audit.capture.delete.node.property": "Properties of nodes deleted",
  "audit.capture.delete.node.property.metadata": "Metadata of properties deleted",
  "audit.capture.delete.relationship": "Relationships deleted",
  "audit.capture.delete.relationship.property": "Properties of relationships deleted",
  "audit.capture.export": "Graph exported",
  "audit.authorization.simulation": "Simulation",
  "audit.authorization.replay": "Replay",
  "audit.ciq.execute": "Query executed",
  "audit.graph.read": "Graph read",
  "audit.mcp.call": "MCP call",
  "audit.trustscore.run": "Trust scores computed",
  "audit.signing.failed": "Signing failed",
  "audit.signing.recovered": "Signing recovered",
  "audit.signing.rotated": "Signing key rotated",
  "audit.streams.replaced": "Redis replaced: records may be missing",
};

const countOf = (value: unknown, noun: string): string =>
  typeof value === "number" ? countText(value, noun) : "";

/** The texts that are there. */
const join = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join(" ");

const queryText = ({ query, rows }: Members, { queries }: Names): string => {
  const id = textOf(isObject(query) ? query["id"] : undefined);
  return join(queries.get(id) ?? shortGid(id), countOf(rows, "row"));
};

const detailOf = (type: string, data: Members, names: Names): string => {
  if (type === "audit.ciq.execute") return queryText(data, names);
  if (type.startsWith("audit.config."))
    return join(
      textOf(data["call"]).replaceAll("_", " "),
      textOf(data["kind"]).replaceAll("_", " "),
      textOf(data["name"]),
    );
  if (type.startsWith("audit.capture.")) return countOf(data["count"], "item");
  if (type.startsWith("audit.credentials."))
    return join(textOf(data["reason"]), textOf(data["result"]), textOf(data["kid"]));
  if (type === "audit.graph.read")
    return join(textOf(data["read"]), typeOf(data), textOf(data["external_id"]));
  if (type === "audit.authorization.replay") return countOf(data["records"], "record");
  return join(textOf(data["method"]), textOf(data["tool"]), textOf(data["reason"]));
};

/** What records of a type are called; a type that this console does not know is its own title. */
export const kindTitle = (type: string): string =>
  (Object.hasOwn(titles, type) ? titles[type] : undefined) ?? type;

export const describeRecord = ({ type, data }: AuditRecord, names: Names): Description => ({
  title: kindTitle(type),
  detail: detailOf(type, isObject(data) ? data : {}, names),
});

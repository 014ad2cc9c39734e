/** The tenant that asks for as much as the interface accepts: its data and records. */
import { makeIssuer } from "../auth/issuer.ts";
import { makeAgent, makeProject } from "../project.ts";
import type { Target } from "../settings.ts";
import { captureGraph } from "../capture-graph.ts";
import { openAdmin } from "../clients.ts";

/** Nodes around one hub: patterns through it grow with a power of their number. */
export const items = 300;
export const itemId = (number: number): string => `item-${String(number).padStart(4, "0")}`;

const hub = { type: "Hub", external_id: "hub" };
const nodes = [
  { type: "Person", external_id: "heavy" },
  hub,
  ...Array.from({ length: items }, (_, at) => ({
    type: "Item",
    external_id: itemId(at),
    properties: [{ type: "text", value: "x".repeat(100) }],
  })),
];
const relationships = [
  { source: { type: "Person", external_id: "heavy" }, target: hub, type: "SEES" },
  ...Array.from({ length: items }, (_, at) => ({
    source: { type: "Item", external_id: itemId(at) },
    target: hub,
    type: "IN",
  })),
];

const kbac = (action: string, cypher: string) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: [action],
  resource: { type: "Item" },
  condition: { cypher },
});
type Json = Readonly<Record<string, unknown>>;

const ciq = (cypher: string, allowed_reads: Json) => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: { cypher: `MATCH (subject:_Application) ${cypher}` },
  allowed_reads,
});

const seen = "MATCH (subject:Person)-[:SEES]->(h:Hub)<-[:IN]-(resource:Item)";
const sum = "a.property.text + b.property.text";

/** Looks at every combination of four items, and is ended by the time limit of decisions. */
const slow = kbac(
  "SLOW",
  `${seen}, (h)<-[:IN]-(a:Item), (h)<-[:IN]-(b:Item), (h)<-[:IN]-(c:Item) WHERE ${sum} + c.property.text = resource.property.text`,
);
/** Takes some hundredths of a second. */
const busy = kbac(
  "BUSY",
  `${seen}, (h)<-[:IN]-(a:Item) WHERE a.property.text + 'y' = resource.property.text`,
);
/** Compares some pairs of items: about a hundredth of a second and little memory. */
const brief = ciq(
  `MATCH (a:Item)-[:IN]->(h:Hub)<-[:IN]-(b:Item), (h)<-[:IN]-(c:Item) WHERE c.external_id < 'item-0010' AND ${sum} = 'y' ` +
    "WITH subject, count(*) AS times",
  { aggregate_values: ["times"] },
);
/** Looks at the combinations of three items, of which one is among the first: about a second and little memory. */
const long = ciq(
  `MATCH (a:Item)-[:IN]->(h:Hub)<-[:IN]-(b:Item), (h)<-[:IN]-(c:Item) WHERE c.external_id < 'item-0020' AND ${sum} + c.property.text = 'y' ` +
    "WITH subject, count(*) AS times",
  { aggregate_values: ["times"] },
);
/** Keeps a row for each combination of three items. */
const large = ciq(
  "MATCH (a:Item)-[:IN]->(h:Hub)<-[:IN]-(b:Item), (h)<-[:IN]-(c:Item) " +
    "WITH subject, a.external_id + b.external_id + c.external_id AS name, count(*) AS times",
  { aggregate_values: ["name", "times"] },
);

export const question = (action: "SLOW" | "BUSY", id?: string) => ({
  subject: { type: "Person", id: "heavy" },
  action: { name: action },
  resource: { type: "Item", ...(id === undefined ? {} : { id }) },
});

export interface Heavy {
  readonly apiKey: string;
  /** Id of a query that takes about a hundredth of a second, and of one that takes about a second. */
  readonly briefQuery: string;
  readonly longQuery: string;
  /** Id of a query that wants more memory than a transaction may have. */
  readonly largeQuery: string;
}

/** Makes the project with its data and records. @param created called with the id of the project at once */
export const makeHeavy = async (target: Target, created: (id: string) => void): Promise<Heavy> => {
  const projectId = await makeProject(target, "heavy");
  created(projectId);
  const { apiKey } = await makeAgent(target, projectId, ["Authorization", "ContXIQ", "Capture"]);
  await captureGraph(target, apiKey, { nodes, relationships });
  const admin = openAdmin(target, projectId);
  const policy = (name: string, json: Json) =>
    admin.policies.create({ name, policy: json, status: "ACTIVE" });
  const query = async (name: string, json: Json & { readonly allowed_reads: Json }): Promise<string> => {
    const { id: policy_id } = await policy(name, json);
    const made = await admin.queries.create({ name, policy_id, query: json.allowed_reads, status: "ACTIVE" });
    return made.id;
  };
  await policy("slow", slow);
  await policy("busy", busy);
  const issuer = await makeIssuer();
  await admin.introspects.create({
    name: "issuer",
    jwt_matcher: { issuer: issuer.issuer, audience: issuer.audience },
    offline_validation: { public_jwks: [JSON.stringify(issuer.jwk)] },
    ikg_node_type: "Person",
  });
  return {
    apiKey,
    briefQuery: await query("brief", brief),
    longQuery: await query("long", long),
    largeQuery: await query("large", large),
  };
};

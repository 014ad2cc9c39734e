import { storePolicy } from "../configuration/save-policy.ts";
import { saveQuery } from "../configuration/save-query.ts";
import { createFilledTenant, createTenant, type Tenant } from "../configuration/tenant.ts";
import { capture } from "../requests/capture.ts";

/** A project that asks for as much as the interface accepts. */
export interface HeavyTenant extends Tenant {
  /** Id of a query whose rows grow with the cube of the data; it needs much memory before its first row. */
  readonly queryId: string;
}

/** Nodes around one hub: patterns through it grow with a power of their number. */
const items = 300;

/** Nodes that attacks name. */
const ends = [
  { type: "Person", external_id: "heavy" },
  { type: "Hub", external_id: "hub" },
];

const graph = {
  nodes: [
    ...ends,
    ...Array.from({ length: items }, (_, at) => ({
      type: "Item",
      external_id: `item-${String(at).padStart(4, "0")}`,
      properties: [{ type: "text", value: "x".repeat(100) }],
    })),
  ],
  relationships: [
    {
      source: { type: "Person", external_id: "heavy" },
      target: { type: "Hub", external_id: "hub" },
      type: "SEES",
    },
    ...Array.from({ length: items }, (_, at) => ({
      source: { type: "Item", external_id: `item-${String(at).padStart(4, "0")}` },
      target: { type: "Hub", external_id: "hub" },
      type: "IN",
    })),
  ],
};

/** Decides after every combination of four items was looked at, for each resource. */
export const slowPolicy = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["SEARCH"],
  resource: { type: "Item" },
  condition: {
    cypher:
      "MATCH (subject:Person)-[:SEES]->(h:Hub)<-[:IN]-(resource:Item), (h)<-[:IN]-(a:Item), (h)<-[:IN]-(b:Item), (h)<-[:IN]-(c:Item) " +
      "WHERE a.property.text + b.property.text + c.property.text = resource.property.text",
  },
};

const memoryPolicy = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: {
    cypher:
      "MATCH (subject:_Application) MATCH (a:Item)-[:IN]->(h:Hub)<-[:IN]-(b:Item), (h)<-[:IN]-(c:Item) " +
      "WITH subject, a.external_id + b.external_id + c.external_id AS name, count(*) AS times",
  },
  allowed_reads: { aggregate_values: ["name", "times"] },
};

/** Makes the project with its records and data. @param more fields of the project */
export const createHeavyTenant = async (more: object = {}): Promise<HeavyTenant> => {
  const tenant = await createTenant("heavy", more);
  try {
    await capture(graph, tenant);
    await storePolicy(tenant.projectId, { policy: slowPolicy });
    const policyId = await storePolicy(tenant.projectId, { policy: memoryPolicy });
    const query = { aggregate_values: ["name", "times"] };
    return { ...tenant, queryId: await saveQuery(tenant.projectId, { policyId, query }) };
  } catch (error) {
    await tenant.remove();
    throw error;
  }
};

/** The same without policies, and with the nodes alone that attacks name: for attacks that no stored data make heavier. */
export const createBareTenant = (more: object): Promise<Tenant> =>
  createFilledTenant("heavy", (tenant) => capture({ nodes: ends }, tenant), more);

/** A search of the policy that takes longest. */
export const slowSearch = {
  subject: { type: "Person", id: "heavy" },
  action: { name: "SEARCH" },
  resource: { type: "Item" },
};

/** A decision of the same policy. */
export const slowDecision = {
  ...slowSearch,
  resource: { type: "Item", id: "item-0001" },
};

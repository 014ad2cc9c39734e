/** The tenant with little data and few requests. */
import { openAdmin } from "../clients.ts";
import { captureGraph } from "../capture-graph.ts";
import { makeAgent, makeProject } from "../project.ts";
import type { Target } from "../settings.ts";
import { type Client, openClient } from "./client.ts";
import type { Ask } from "./open-loop.ts";
import type { Kind } from "./plan.ts";

const persons = 50;
const documentsOfEach = 10;

const personId = (number: number): string => `person-${number % persons}`;
const documentId = (owner: number, number: number): string =>
  `document-${owner % persons}-${number % documentsOfEach}`;

const nodes = Array.from({ length: persons }, (_, owner) => [
  { type: "Person", external_id: personId(owner) },
  ...Array.from({ length: documentsOfEach }, (_, number) => ({
    type: "Document",
    external_id: documentId(owner, number),
    properties: [{ type: "title", value: documentId(owner, number) }],
  })),
]).flat();

const relationships = Array.from({ length: persons * documentsOfEach }, (_, at) => ({
  source: { type: "Person", external_id: personId(at) },
  target: { type: "Document", external_id: documentId(at, Math.floor(at / persons)) },
  type: "OWNS",
}));

const kbac = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: "Document" },
  condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Document)" },
};

const ciq = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: {
    cypher: "MATCH (subject:_Application) MATCH (p:Person {external_id: $person})-[:OWNS]->(d:Document)",
  },
  allowed_reads: { nodes: ["d.external_id", "d.property.title"] },
};

const asksOf = (client: Client, queryId: string): Readonly<Record<Kind, Ask>> => ({
  decision: async (number) => {
    const expected = number % 2 === 0;
    const owner = expected ? number : number + 1;
    const question = {
      subject: { type: "Person", id: personId(number) },
      action: { name: "READ" },
      resource: { type: "Document", id: documentId(owner, Math.floor(number / persons)) },
    };
    const { status, text } = await client.post("/access/v1/evaluation", JSON.stringify(question));
    return status === 200 ? text === JSON.stringify({ decision: expected }) : String(status);
  },
  query: async (number) => {
    const execution = { id: queryId, input_params: { person: personId(number) } };
    const { status, text } = await client.post("/ciq/v1/execute", JSON.stringify(execution));
    if (status !== 200) return String(status);
    const found = new Set(text.match(/document-\d+-\d+/g));
    return (
      found.size === documentsOfEach &&
      Array.from({ length: documentsOfEach }, (_, at) => documentId(number, at)).every((id) => found.has(id))
    );
  },
  capture: async (number) => {
    const rows = Array.from({ length: 10 }, (_, at) => ({
      type: "Event",
      external_id: `event-${number}-${at}`,
      properties: [{ type: "number", value: number }],
    }));
    const { status, text } = await client.post("/capture/v1/nodes", JSON.stringify({ nodes: rows }));
    return status === 200 ? text.split('"id"').length - 1 === rows.length : String(status);
  },
});

export interface Light {
  readonly asks: Readonly<Record<Kind, Ask>>;
  close(): Promise<void>;
}

/** Makes the project with its data and records. @param created called with the id of the project at once */
export const makeLight = async (target: Target, created: (id: string) => void): Promise<Light> => {
  const projectId = await makeProject(target, "light");
  created(projectId);
  const { apiKey } = await makeAgent(target, projectId, ["Authorization", "ContXIQ", "Capture"]);
  await captureGraph(target, apiKey, { nodes, relationships });
  const admin = openAdmin(target, projectId);
  await admin.policies.create({ name: "owners", policy: kbac, status: "ACTIVE" });
  const documents = await admin.policies.create({ name: "documents", policy: ciq, status: "ACTIVE" });
  const { id: queryId } = await admin.queries.create({
    name: "documents",
    policy_id: documents.id,
    query: { nodes: ["d.external_id", "d.property.title"] },
    status: "ACTIVE",
  });
  const client = openClient(target.gateway, apiKey, 256);
  return { asks: asksOf(client, queryId), close: () => client.close() };
};

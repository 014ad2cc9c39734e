import { createCredential } from "../configuration/create-credential.ts";
import { freshName } from "../fresh-name.ts";
import type { Account } from "../requests/account.ts";
import { capture } from "../requests/capture.ts";
import { openAdmin } from "../requests/clients.ts";
import { createOrganization } from "../suites/start-beside.ts";
import { takeEffect } from "../take-effect.ts";

/** A project with little data and few requests, in an organization of its own. */
export interface LightTenant {
  readonly account: Account;
  readonly projectId: string;
  readonly applicationId: string;
  /** Value of X-SVC-ClientKey of an agent that may do everything. */
  readonly key: string;
  /** Id of the query `documentsOf`. */
  readonly queryId: string;
  remove(): Promise<void>;
}

/** Persons of the project; each owns as many documents. */
export const persons = 10;

export const personId = (number: number): string => `person-${number % persons}`;
export const documentId = (owner: number, number: number): string =>
  `document-${owner % persons}-${number % persons}`;

const everyPair = <T>(work: (owner: number, number: number) => T): readonly T[] =>
  Array.from({ length: persons * persons }, (_, at) => work(Math.floor(at / persons), at % persons));

const graph = {
  nodes: [
    ...Array.from({ length: persons }, (_, at) => ({ type: "Person", external_id: personId(at) })),
    ...everyPair((owner, number) => ({
      type: "Document",
      external_id: documentId(owner, number),
      properties: [{ type: "title", value: documentId(owner, number) }],
    })),
  ],
  relationships: everyPair((owner, number) => ({
    source: { type: "Person", external_id: personId(owner) },
    target: { type: "Document", external_id: documentId(owner, number) },
    type: "OWNS",
  })),
};

/** What decides: each person may read the documents that it owns. */
export const ownersMayRead = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: "Document" },
  condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Document)" },
};

const documentsOf = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: {
    cypher: "MATCH (subject:_Application) MATCH (p:Person {external_id: $person})-[:OWNS]->(d:Document)",
  },
  allowed_reads: { nodes: ["d.external_id", "d.property.title"] },
};

/** Makes the organization by the command of operators, with its project, records and data. */
export const createLightTenant = async (): Promise<LightTenant> => {
  const account = await createOrganization();
  const organization = openAdmin(undefined, account);
  const name = freshName("light");
  const project = await organization.projects.create({ organization_id: account.organizationId, name });
  const remove = async (): Promise<void> => {
    await organization.projects.delete(project.id);
    await account.remove();
  };
  try {
    const admin = openAdmin(project.id, account);
    const application = await admin.applications.create({ name });
    const agent = await admin.agents.create({
      application_id: application.id,
      name,
      api_permissions: ["Capture", "Authorization", "ContXIQ"],
    });
    const { key } = await createCredential(agent.id, undefined, account);
    await admin.policies.create({ name: `${name}-kbac`, policy: ownersMayRead, status: "ACTIVE" });
    const { id: policy_id } = await admin.policies.create({ name, policy: documentsOf, status: "ACTIVE" });
    const { id: queryId } = await admin.queries.create({
      name,
      policy_id,
      query: { nodes: ["d.external_id", "d.property.title"] },
      status: "ACTIVE",
    });
    await capture(graph, { key });
    await takeEffect();
    return { account, projectId: project.id, applicationId: application.id, key, queryId, remove };
  } catch (error) {
    await remove();
    throw error;
  }
};

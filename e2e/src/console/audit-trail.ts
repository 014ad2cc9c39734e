/** A project with recorded decisions, for the tests of the decisions screen. */
import type { AuditBatch, AuditRecord } from "@ikg/client";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import type { Page } from "playwright-core";
import { readEnvironment } from "../../../stack/src/environment.ts";
import type { OwnNeo4j } from "../../../stack/src/settings.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { environment } from "../environment.ts";
import { openScreen, type Tab } from "./browser.ts";

export const mayShare = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["SHARE"],
  resource: { type: "Document" },
  condition: { cypher: "MATCH (subject)-[:WROTE]->(resource)" },
};

const node = (type: string, external_id: string) => ({ type, external_id });

export const createAuditedProject = (name: string): Promise<TestProject> =>
  createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name,
    policies: { "may-share": mayShare },
    graph: {
      nodes: [node("Person", "ann"), node("Person", "bob"), node("Document", "d1")],
      relationships: [{ source: node("Person", "ann"), type: "WROTE", target: node("Document", "d1") }],
    },
  });

/** Batches of a project that are signed. */
export const batchesOf = ({ admin }: TestProject): Promise<readonly AuditBatch[]> =>
  admin.audit.batches().toArray();

/** The batch with a record of a decision about a subject, once it is signed. */
export const batchAbout = (project: TestProject, subject: string): Promise<AuditBatch> => {
  const isAbout = ({ type, data }: AuditRecord): boolean =>
    type.startsWith("audit.authorization.evaluation") && JSON.stringify(data).includes(`"${subject}"`);
  const find = async () => (await batchesOf(project)).find(({ data }) => data.some(isAbout));
  return eventually(find, (found) => found !== undefined, { withinMs: 30_000, everyMs: 250 });
};

/** Asks whether each may share the document, and waits for the record of the last. @returns its batch */
export const recordDecisions = async (
  project: TestProject,
  first: string,
  ...rest: readonly string[]
): Promise<AuditBatch> => {
  const document = { type: "Document", id: "d1" };
  for (const id of [first, ...rest]) await project.ikg.as({ type: "Person", id }).can("SHARE", document);
  return batchAbout(project, rest.at(-1) ?? first);
};

/** The database that holds the chain. */
export const database = (): OwnNeo4j => {
  const known = readEnvironment(process.env["IKG_ENVIRONMENT"] ?? "");
  if (known === undefined) throw new Error("the suite under test is not on this machine");
  return { uri: known.neo4j_uri, username: known.neo4j_username, password: known.neo4j_password };
};

export const openDecisions = (path: string, projectId: string, options = {}): Promise<Tab> =>
  openScreen(`${path}${path.includes("?") ? "&" : "?"}project=${encodeURIComponent(projectId)}`, options);

export const verifyChain = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Verify the chain" }).click();
};

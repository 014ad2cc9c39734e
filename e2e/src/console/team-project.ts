/** A project with a team and its documents, and the playground opened in it. */
import { afterAll, beforeAll } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import type { Page } from "playwright-core";
import { environment } from "../environment.ts";
import { openScreen, type Tab } from "./browser.ts";
import { relationship } from "./relationship.ts";

const mayRead = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: "Document" },
  condition: {
    cypher:
      "MATCH (subject)-[:WORKS_FOR]->(:Team)-[:OWNS]->(resource)\nWHERE resource.property.level <= $level",
  },
};
const maySign = {
  ...mayRead,
  actions: ["SIGN"],
  condition: {
    cypher: "MATCH (subject)-[:WORKS_FOR]->(:Team)-[:OWNS]->(resource)",
    filter: {
      operator: "AND",
      operands: [
        { attribute: "$token.scope", operator: "CONTAINS", value: "sign" },
        { attribute: "$token.sub", operator: "=", value: "ann" },
      ],
    },
  },
};
const mayShare = {
  ...mayRead,
  actions: ["SHARE"],
  condition: { cypher: "MATCH (subject)-[:WORKS_FOR]->(:Team)-[:OWNS]->(resource)" },
};
const mayShareOwn = { ...mayShare, condition: { cypher: "MATCH (subject)-[:WROTE]->(resource)" } };

const node = (type: string, external_id: string, level: number) => ({
  type,
  external_id,
  properties: [{ type: "level", value: level }],
});

/** A team whose member may share its documents; set before the tests. */
export let project: TestProject;

beforeAll(async () => {
  project = await createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name: "playground",
    people: "Person",
    policies: {
      "may-read": mayRead,
      "may-sign": maySign,
      "may-share": mayShare,
      "may-share-own": mayShareOwn,
    },
    graph: {
      nodes: [
        node("Person", "ann", 3),
        node("Person", "bob", 1),
        node("Team", "law", 1),
        ...Array.from({ length: 120 }, (_, at) => node("Document", `d${at}`, at)),
      ],
      relationships: [
        relationship(["Person", "ann"], "WORKS_FOR", ["Team", "law"]),
        ...Array.from({ length: 120 }, (_, at) =>
          relationship(["Team", "law"], "OWNS", ["Document", `d${at}`]),
        ),
      ],
    },
  });
}, 60_000);
afterAll(() => project?.remove());

/** The address of a question. */
export const link = (question: Readonly<Record<string, string>>): string =>
  `/playground?${new URLSearchParams({ project: project.id, ...question }).toString().replaceAll("+", "%20")}`;

export const ask = (page: Page) => page.getByRole("button", { name: "Ask", exact: true }).click();

export const pasteKey = async (page: Page): Promise<void> => {
  await page.getByLabel("paste an application key").fill(project.clientKey);
  await page.getByRole("button", { name: "Use key" }).click();
};

/** The playground with a question in its address and the key of the project: a complete question is asked at once. */
export const open = async (question: Readonly<Record<string, string>>, options = {}): Promise<Tab> => {
  const tab = await openScreen(link(question), options);
  await pasteKey(tab.page);
  return tab;
};

export const shareQuestion = {
  subject_type: "Person",
  subject: "ann",
  action: "SHARE",
  resource_type: "Document",
  resource: "d1",
};

/** A project with stored queries, their policies and a small graph, for the tests of the queries in the console. */
import { createTestProject, type TestProject } from "@ikg/client/testing";
import type { Page } from "playwright-core";
import { environment } from "../environment.ts";
import { openScreen, type Tab } from "./browser.ts";
import { relationship } from "./relationship.ts";

const mayLend = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: {
    cypher:
      "MATCH (subject:_Application) MATCH (reader:Reader)-[visit:VISITS]->(room:Room)-[:HOLDS]->(book:Book)",
    filter: [{ attribute: "book.property.level", operator: "<=", value: "@reader.property.level" }],
  },
  allowed_reads: {
    nodes: ["reader.external_id", "book.external_id", "book.property.*", "room"],
    relationships: ["visit"],
  },
  allowed_upserts: {
    nodes: { existing_nodes: ["book"], node_types: ["Loan"] },
    relationships: {
      relationship_types: [{ type: "OF", source_node_label: "Loan", target_node_label: "Book" }],
    },
  },
  allowed_deletes: { nodes: ["book.property.note"] },
};

const mayReadOwn = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Reader" },
  condition: {
    cypher: "MATCH (subject:Reader)-[:VISITS]->(room:Room)",
    token_filter: {
      attribute: "$token.auth_age",
      operator: "<=",
      value: 300,
      advice: { error: "insufficient_user_authentication", error_description: "Please sign in again." },
    },
  },
  allowed_reads: { nodes: ["subject.external_id", "room.external_id"] },
};

const node = (type: string, external_id: string, level?: number) => ({
  type,
  external_id,
  ...(level !== undefined && { properties: [{ type: "level", value: level }] }),
});

const booksOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `b${String(at).padStart(3, "0")}`);

/**
 * Ann (level 200) and bob (level 1) visit the room "maps" with books of the levels from 0 on: of the pairs of a reader and a book
 * the policy leaves all of ann's and two of bob's.
 */
export const createArchive = (books = booksOf(12)): Promise<TestProject> =>
  createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name: "archive",
    people: "Reader",
    policies: { "may-lend": mayLend, "may-read-own": mayReadOwn },
    queries: {
      "books-of-reader": {
        policy: "may-lend",
        query: {
          nodes: ["reader.external_id", "book.external_id", "book.property.level"],
          filter: { attribute: "reader.external_id", operator: "=", value: "$reader" },
        },
      },
      "own-rooms": { policy: "may-read-own", query: { nodes: ["subject.external_id", "room.external_id"] } },
      lend: {
        policy: "may-lend",
        query: {
          filter: [
            { attribute: "reader.external_id", operator: "=", value: "$reader" },
            { attribute: "book.external_id", operator: "=", value: "$book" },
          ],
          upsert_nodes: [{ name: "loan", type: "Loan", external_id: "$number" }],
          upsert_relationships: [{ name: "of", type: "OF", source: "loan", target: "book" }],
          delete_nodes: ["book.property.note"],
          nodes: ["loan.external_id", "book.external_id"],
        },
      },
    },
    graph: {
      nodes: [
        { ...node("Reader", "ann", 200), is_identity: true },
        { ...node("Reader", "bob", 1), is_identity: true },
        node("Room", "maps"),
        ...books.map((id, at) => node("Book", id, at)),
      ],
      relationships: [
        ...["ann", "bob"].map((id) => relationship(["Reader", id], "VISITS", ["Room", "maps"])),
        ...books.map((id) => relationship(["Room", "maps"], "HOLDS", ["Book", id])),
      ],
    },
  });

/** More rows than a page has. */
export const createLargeArchive = (): Promise<TestProject> => createArchive(booksOf(120));

export const openQueries = (path: string, project: TestProject, options = {}): Promise<Tab> => {
  const [base = "", search = ""] = path.split("?");
  const query = [`project=${encodeURIComponent(project.id)}`, search].filter(Boolean).join("&");
  return openScreen(`${base}?${query}`, options);
};

/** The screen of a query to run, with the key of the project. */
export const openRun = async (name: string, project: TestProject, options = {}): Promise<Tab> => {
  const tab = await openQueries(`/queries/${name}?tab=run`, project, options);
  await tab.page.getByLabel("paste an application key").fill(project.clientKey);
  await tab.page.getByRole("button", { name: "Use key" }).click();
  return tab;
};

export const fillParameters = (page: Page, params: object): Promise<void> =>
  page.getByLabel("Parameters, as JSON").fill(JSON.stringify(params));

export const run = (page: Page) => page.getByRole("button", { name: /^Run/ }).click();

/** Texts of the steps from the pattern to the rows, without the bars. */
export const countsOf = (page: Page): Promise<readonly string[]> =>
  page.locator(".count-steps > li").allInnerTexts();

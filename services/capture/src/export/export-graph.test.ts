import { describe, expect, it } from "@jest/globals";
import { defaultOrganizationNames, effectiveLimits, newGid, Problem } from "@ikg/contracts";
import { type Database, type Graph, StatementTimeout } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import type { Project } from "../projects/projects.ts";
import { openExport } from "./export-graph.ts";

const id = newGid("project");
const project: Project = {
  id,
  pk: projectKey("abcdefgh"),
  ikgStatus: "ACTIVE",
  limits: effectiveLimits({}),
  organizationId: newGid("organization"),
  organizationNames: defaultOrganizationNames,
};

/** A graph whose reads are answered by a function. */
const graphOf = (read: Database["read"]): Graph => ({ of: () => ({ read }) }) as unknown as Graph; // nothing else is called

const beginOn = (graph: Graph, known: () => Project | undefined = () => project) => {
  const open = openExport({
    graph,
    projects: { project: async () => known() },
    metrics: { observe: (pages) => pages },
    slots: 4,
  });
  return () => open(id, undefined, { requestId: "r", signal: new AbortController().signal });
};

const begin = (read: Database["read"], known?: () => Project | undefined) => beginOn(graphOf(read), known);

const problemOf = async (work: () => Promise<unknown>): Promise<string> => {
  const error = await work().catch((failure: unknown) => failure);
  return error instanceof Problem ? `${error.status} ${error.errors.join()}` : String(error);
};

describe("an export", () => {
  it("of a graph with locations is refused before anything is read", async () => {
    const spread: Project = {
      ...project,
      composite: {
        database: "hospital",
        connections: new Map(),
        constituents: new Map([
          ["global", "db1"],
          ["east", "db2"],
        ]),
      },
    };
    let reads = 0;
    const read: Database["read"] = async () => {
      reads++;
      return [];
    };
    expect(await problemOf(begin(read, () => spread))).toMatch(/^422 .*locations/);
    expect(reads).toBe(0);
  });

  it("gives its place back when it ends, fails to begin, or is never read", async () => {
    let fails = true;
    const start = begin(async () => {
      if (fails) throw new Problem("unavailable");
      return [];
    });
    expect(await problemOf(start)).toMatch(/^503/);
    fails = false;
    const unread = await start();
    expect(await problemOf(start)).toMatch(/^429 .*EXPORTS/);
    await unread[Symbol.asyncIterator]().return?.();
    for await (const page of await start()) if ("complete" in page) expect(page.complete.nodes).toBe(0);
    await (await start())[Symbol.asyncIterator]().return?.();
  });

  it("takes no slot where the connection of the project cannot be used", async () => {
    let isUsable = false;
    const database = { read: async () => [] };
    const of = () => {
      if (!isUsable) throw new Problem("unavailable");
      return database;
    };
    const start = beginOn({ of } as unknown as Graph); // nothing else is called
    for (let attempt = 0; attempt < 2; attempt++) expect(await problemOf(start)).toMatch(/^503/);
    isUsable = true;
    await (await start())[Symbol.asyncIterator]().return?.();
  });

  it("is answered with 503 where its first page takes too long", async () => {
    expect(await problemOf(begin(() => Promise.reject(new StatementTimeout(20_000))))).toMatch(/^503/);
  });

  it("reads a page again that failed since the project could not be read", async () => {
    let failures = 0;
    const known = (): Project => {
      if (failures-- > 0) throw new Problem("unavailable");
      return project;
    };
    const pages = await begin(async () => [], known)();
    failures = 1;
    let isComplete = false;
    for await (const page of pages) isComplete = "complete" in page;
    expect(isComplete).toBe(true);
  });

  it("ends when the graph of the project is moved meanwhile", async () => {
    let known: Project = project;
    const pages = (
      await begin(
        async () => [],
        () => known,
      )()
    )[Symbol.asyncIterator]();
    await pages.next();
    known = { ...project, pk: projectKey("hgfedcba") };
    const rest = async (): Promise<void> => {
      while ((await pages.next()).done !== true);
    };
    expect(await problemOf(rest)).toMatch(/^409 .*moved/);
  });
});

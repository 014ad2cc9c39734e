import { afterAll, beforeAll, expect } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { type Answer, type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import { type Json, openProject, openTestGraph, type TestProject } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";

/** Ids for which UTF-16 units, code points and escaping of paths disagree; `.` and `..` stand in no path. */
export const hostileIds = [
  "a",
  "a/b",
  "a b?c#d%2F",
  "A",
  "é",
  "\u0001",
  "\ud7ff",
  "\ue000",
  "\uffee",
  "\uffee\u{1f600}",
  "\u{1f600}",
  "\u{1f600}a",
  "\u{10ffff}",
  "' OR 1=1 //",
  "__proto__",
  ".",
  "..",
];

export let graph: Graph;
export let ciq: CiqProcess;
export let stored: StoredProject;
export let other: StoredProject;
export let project: TestProject;
let others: TestProject;

const metadata = {
  "name.metadata.source": "register",
  "name.metadata.mine": [1, 2],
  "name.update_time": "2026-01-01T00:00:00.000Z",
};

/** Stores the projects and starts the service for the tests of a file. */
export const useGraphUnderTest = (): void => {
  beforeAll(async () => {
    graph = openTestGraph();
    await graph.prepare();
    stored = await storeProject(graph);
    other = await storeProject(graph);
    project = await openProject(
      graph,
      {
        nodes: {
          ...Object.fromEntries(hostileIds.map((id) => [`Odd/${id}`, {}])),
          "Person/ann": {
            name: "Ann",
            ...metadata,
            "age.external_value": "register",
            "_p.type": "own",
            is_identity: true,
          },
          "Person/bob": {},
          "car/c1": {},
          "_TrustScore/ann": {
            _final_score: 0.5,
            _validity: 1,
            profile_id: "p",
            update_time: "2026-01-02T00:00:00.000Z",
          },
        },
        edges: [
          ["Person/ann", "KNOWS", "Person/bob", { since: 2020, _create_time: "2026-01-01T00:00:00.000Z" }],
          ["Person/ann", "KNOWS", "Person/bob", { since: 2021, _discriminator: "2021" }],
          ["Person/ann", "KNOWS", "Person/ann"],
          ["Person/bob", "LIKES", "Person/ann"],
          ["Person/ann", "OWNS", "car/c1"],
          ["Person/ann", "_HAS", "_TrustScore/ann"],
        ],
      },
      stored.pk,
    );
    others = await openProject(
      graph,
      { nodes: { "Person/ann": { name: "Other" }, "Person/zoe": {} }, edges: [] },
      other.pk,
    );
    ciq = await startCiqProcess();
  }, 60_000);

  afterAll(async () => {
    await ciq.end();
    for (const each of [project, others]) await each.drop();
    for (const each of [stored, other]) await each.remove();
    await graph.close();
  });
};

/** Starts the service again, so that it reads a changed project. */
export const restart = async (): Promise<void> => {
  await ciq.end();
  ciq = await startCiqProcess();
};

export const readGraph = (
  path: string,
  query: Json = {},
  role: "data_viewer" | "viewer" = "data_viewer",
): Promise<Answer> => {
  const all = new URLSearchParams({ project_id: stored.id, ...(query as Record<string, string>) }); // the tests write texts
  return ciq.send(stored, `/graph/v1/nodes${path}?${all.toString()}`, { grants: { [role]: [stored.id] } });
};

/** Every page of a list; fails if one has more than its limit. */
export const pages = async <Item>(path: string, query: Json, limit: number): Promise<Item[]> => {
  const items: Item[] = [];
  for (let cursor = ""; ;) {
    const { status, body } = await readGraph(path, {
      ...query,
      limit: String(limit),
      ...(cursor === "" ? {} : { cursor }),
    });
    expect([status, body["items"]]).toEqual([200, expect.any(Array)]);
    const page = body as unknown as { items: Item[]; has_more: boolean; next_cursor: string }; // as just seen
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    if (!page.has_more) return items;
    cursor = page.next_cursor;
  }
};

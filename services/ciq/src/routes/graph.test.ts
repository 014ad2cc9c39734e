import { describe, expect, it } from "@jest/globals";
import type { Catalog } from "@ikg/catalog";
import { newGid, Problem } from "@ikg/contracts";
import { type Database, type Graph, StatementTimeout } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { elementIdsOf } from "@ikg/query-rows";
import { type AuditNote, openProjectSlots, openSharedBudget, type Route } from "@ikg/service";
import { graphRoutes } from "./graph.ts";

const [project, organization] = [newGid("project"), newGid("organization")];

/** The routes over a database that answers by `read`. */
const routesOver = (read: Database["read"], perProject = 1): readonly Route[] =>
  graphRoutes({
    graph: { of: () => ({ read }) as unknown as Database } as unknown as Graph, // no other member is used
    catalog: {
      snapshot: (id: string) =>
        Promise.resolve(
          id === project
            ? {
                project: {
                  id,
                  organizationId: organization,
                  pk: projectKey("abcdefgh"),
                  ikgStatus: "ACTIVE",
                  limits: { page_bytes: 1_000 },
                },
              }
            : undefined,
        ),
    } as unknown as Catalog, // no other member is used
    memory: openSharedBudget({ total: 1_000_000, waitMs: 1, waitingPerProject: 1 }, "TEST"),
    idsOf: elementIdsOf(Buffer.alloc(32)),
    slots: openProjectSlots({
      total: 8,
      perProject,
      errors: { ofOwner: (taken, owner) => `${taken} of the ${owner}`, ofAll: (taken) => `${taken} of all` },
    }),
    sealing: { key: Buffer.alloc(32), former: [] },
    timeoutMs: 1_000,
  });

/** Calls the route of an operation; its problem or answer, and what it noted. */
const call = async (
  routes: readonly Route[],
  operation: string,
  query: Readonly<Record<string, string>> = {},
): Promise<{
  readonly status: number;
  readonly errors: readonly string[];
  readonly notes: readonly AuditNote[];
}> => {
  const notes: AuditNote[] = [];
  const input = {
    query: { project_id: project, ...query },
    params: { type: "Person", external_id: "ann" },
    caller: { kind: "service_account", org: organization },
    reach: [project],
    requestId: "test",
    signal: new AbortController().signal,
    note: (createNote: () => AuditNote) => void notes.push(createNote()),
  };
  try {
    const reply = await routes.find((route) => route.operation === operation)?.run(input as never); // what routes read
    return { status: reply?.status ?? 0, errors: [], notes };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, errors: error.errors, notes };
  }
};

const operations = ["list_nodes", "read_node", "list_neighbours"] as const;

describe("reads of a graph", () => {
  it.each(operations)("%s that take too long are 408, and recorded", async (operation) => {
    const routes = routesOver(() => Promise.reject(new StatementTimeout(1_000)));
    expect(await call(routes, operation)).toMatchObject({
      status: 408,
      notes: [{ type: "audit.graph.read", chain: project, data: { count: 0 } }],
    });
  });

  it.each(operations)("%s are as many at one time as a project may have, then 429", async (operation) => {
    const { promise: rows, resolve } = Promise.withResolvers<never[]>();
    const routes = routesOver(() => rows);
    const first = call(routes, "list_nodes");
    const refused = await call(routes, operation);
    expect(refused).toEqual({ status: 429, errors: ["1 of the project"], notes: [] });
    resolve([]);
    expect((await first).status).toBe(200);
    expect((await call(routes, operation)).status).toBe(operation === "list_nodes" ? 200 : 404);
  });

  it("that find a node larger than an answer may be are 422", async () => {
    const p = { type: "Person", external_id: "ann", name: "é".repeat(450) };
    const sizeOf = async (name: string) =>
      call(
        routesOver(() =>
          Promise.resolve([{ location: null, labels: [], properties: { ...p, name }, trustScore: null }]),
        ),
        "read_node",
      );
    expect((await sizeOf("é".repeat(400))).status).toBe(200);
    expect(await sizeOf(p.name)).toMatchObject({
      status: 422,
      errors: ["node: larger than an answer may be (limit page_bytes, 1000)"],
      notes: [{ data: { read: "node", count: 0 } }],
    });
  });

  it("give their place back when they fail", async () => {
    const routes = routesOver(() => Promise.reject(new Error("broken")));
    for (let at = 0; at < 3; at += 1) await expect(call(routes, "read_node")).rejects.toThrow("broken");
  });

  it("read in the time that is left, in no text of a request", async () => {
    const texts: string[] = [];
    const times: number[] = [];
    const routes = routesOver((text, _, { timeoutMs }) => {
      texts.push(text);
      times.push(timeoutMs);
      return Promise.resolve([
        { location: null, labels: [], properties: { type: "Person", external_id: "ann" }, trustScore: null },
      ]);
    });
    expect((await call(routes, "read_node", { external_id: "' OR 1=1" })).status).toBe(200);
    expect(texts.join("\n")).not.toContain("OR 1=1");
    expect(times.every((ms) => ms > 0 && ms <= 1_000)).toBe(true);
  });
});

import { beforeAll, describe, expect, it } from "@jest/globals";
import type { CaptureResults, ResultRow } from "@ikg/contracts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { tenant, reader, book, save, useLibraryTown } from "../../src/fixtures/library-town.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { execute } from "../../src/requests/execute.ts";
import { must } from "../../src/requests/must.ts";

useLibraryTown();

describe("capture", () => {
  const write = async (nodes: readonly unknown[], method = "POST"): Promise<readonly string[]> => {
    const answer = await withKey("/capture/v1/nodes", tenant, { method, json: { nodes } });
    return must<CaptureResults>(answer, 200).results.map(({ id }) => id);
  };
  const note = (...properties: readonly object[]) => ({ type: "Note", external_id: "n1", properties });
  let read: () => Promise<readonly ResultRow[]>;

  beforeAll(async () => {
    const nodes = [
      "n.external_id",
      "n.property.a",
      "n.property.b",
      "n.property.a.metadata.source",
      "n.property.a.metadata.stars",
    ];
    const policyId = await save({
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (n:Note)" },
      allowed_reads: { nodes },
    });
    const id = await saveQuery(tenant.projectId, { policyId, query: { nodes } });
    read = () => execute({ id }, tenant);
  });

  it("upserts: the same id again, new values over old, the rest stays", async () => {
    const metadata = { source: "desk", custom_metadata: { stars: 5 } };
    const [first] = await write([note({ type: "a", value: 30, metadata }, { type: "b", value: "30" })]);
    const again = await write([
      note({ type: "a", value: 31 }),
      note({ type: "a", value: 32, metadata: { source: "shelf" } }),
    ]);
    expect(again).toEqual([first, first]);
    expect(await write([note()], "PUT")).toEqual([first]);
    expect(await read()).toEqual([
      {
        nodes: {
          "n.external_id": "n1",
          "n.property.a": 32,
          "n.property.b": "30",
          "n.property.a.metadata.source": "shelf",
          "n.property.a.metadata.stars": 5,
        },
      },
    ]);
  });

  it("makes one relationship of each triple, or of each discriminating value", async () => {
    const lend = (...properties: readonly object[]) => ({
      source: reader("ida"),
      target: book("book-0"),
      type: "LENT",
      properties,
    });
    const day = (value: string) => [
      { type: "day", value },
      { type: "discriminating_property", value: "day" },
    ];
    const relationships = [
      lend(),
      lend({ type: "x", value: 1 }),
      lend(...day("mon")),
      lend(...day("tue")),
      lend(...day("mon")),
    ];
    const answer = await withKey("/capture/v1/relationships", tenant, { json: { relationships } });
    const ids = must<CaptureResults>(answer, 200).results.map(({ id }) => id);
    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[3], ids[2]]);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^gid:/);
  });

  it("written by many at once makes each node and relationship once", async () => {
    const crowd = Array.from({ length: 40 }, (_, at) => ({ type: "Crowd", external_id: `c${at}` }));
    const pairs = crowd.map((source, at) => ({
      source,
      target: crowd[(at + 1) % 40] ?? source,
      type: "NEXT",
    }));
    const shuffled = <T>(items: readonly T[], by: number): readonly T[] =>
      items.map((_, at) => items[(at * by) % items.length] ?? items[0]).filter((item) => item !== undefined);
    const writers = [1, 3, 7, 9, 11, 13];
    const write = async (collection: string, items: readonly unknown[], by: number) => {
      const answer = await withKey(`/capture/v1/${collection}`, tenant, {
        json: { [collection]: shuffled(items, by) },
      });
      return must<CaptureResults>(answer, 200).results.map(({ id }) => id);
    };
    for (const [collection, items] of [
      ["nodes", crowd],
      ["relationships", pairs],
    ] as const) {
      const written = await Promise.all(writers.map((by) => write(collection, items, by)));
      expect(new Set(written.flat()).size).toBe(40);
    }
  });
});

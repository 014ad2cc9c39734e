import { describe, expect, it } from "@jest/globals";
import { parse, type UpsertNode, UpsertNodesRequest } from "@ikg/contracts";
import { projectKey } from "@ikg/physical";
import fc from "fast-check";
import { nodeBatch } from "./node-rows.ts";

const pk = projectKey("abcdefgh");
const now = "2026-01-01T00:00:00.000Z";
const batch = (nodes: unknown[]) => nodeBatch(parse(UpsertNodesRequest, { nodes }).nodes, pk, now);

describe("nodeBatch", () => {
  it("makes one row per node, sorted by key, and points every item to its row", () => {
    const { rows, rowOfItem } = batch([
      { external_id: "b", type: "Car" },
      { external_id: "a", type: "Truck" },
      { external_id: "a", type: "Car" },
      { external_id: "b", type: "Car" },
    ]);
    expect(rows.map((row) => row.key)).toEqual(["abcdefgh/Car/a", "abcdefgh/Car/b", "abcdefgh/Truck/a"]);
    expect(rowOfItem.map((row) => row.key)).toEqual([
      "abcdefgh/Car/b",
      "abcdefgh/Truck/a",
      "abcdefgh/Car/a",
      "abcdefgh/Car/b",
    ]);
    expect(rowOfItem[3]).toBe(rowOfItem[0]);
    expect(new Set(rows.map((row) => row.id)).size).toBe(3);
  });

  it("sets a value, takes away the reference it replaces, and the other way round", () => {
    const { rows } = batch([
      {
        external_id: "a",
        type: "Car",
        properties: [
          { type: "p", value: false, metadata: { source: "", custom_metadata: { k: [] } } },
          { type: "id", external_value: "r" },
        ],
      },
    ]);
    expect(rows[0]?.fields).toEqual({
      p: false,
      "p.external_value": null,
      "p.update_time": now,
      "p.metadata.source": "",
      "p.metadata.k": [],
      "_p.id": null,
      "_p.id.external_value": "r",
      "_p.id.update_time": now,
    });
  });

  it("is the same as applying the items one after the other", () => {
    const item = fc.record(
      {
        external_id: fc.constantFrom("a", "b"),
        type: fc.constantFrom("Car", "Truck"),
        is_identity: fc.boolean(),
        labels: fc.array(fc.constantFrom("Red", "Fast"), { maxLength: 2 }),
        properties: fc.uniqueArray(
          fc.oneof(
            fc.record({ type: fc.constantFrom("p", "q"), value: fc.integer() }),
            fc.record({ type: fc.constantFrom("p", "q"), external_value: fc.constant("r") }),
          ),
          { selector: (property) => property.type },
        ),
      },
      { requiredKeys: ["external_id", "type"] },
    );
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), (items) => {
        const expected = new Map<string, { fields: object; labels: readonly string[] | undefined }>();
        // parsed by the schema on the way in, in production
        for (const each of items as unknown as UpsertNode[]) {
          const key = `${pk}/${each.type}/${each.external_id}`;
          const alone = nodeBatch([each], pk, now).rows[0];
          const before = expected.get(key);
          expected.set(key, {
            fields: { ...before?.fields, ...alone?.fields },
            labels: alone?.labels ?? before?.labels,
          });
        }
        const { rows } = nodeBatch(items as unknown as UpsertNode[], pk, now);
        expect(new Map(rows.map(({ key, fields, labels }) => [key, { fields, labels }]))).toEqual(expected);
      }),
    );
  });
});

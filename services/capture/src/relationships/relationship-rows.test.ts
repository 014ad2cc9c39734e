import { describe, expect, it } from "@jest/globals";
import { newGid, parse, UpsertRelationshipsRequest } from "@ikg/contracts";
import { projectKey } from "@ikg/physical";
import { relationshipBatch } from "./relationship-rows.ts";

const pk = projectKey("abcdefgh");
const project = newGid("project");
const ref = (external_id: string, type = "Person") => ({ external_id, type });
const edge = (a: string, b: string, type = "KNOWS", properties: object[] = []) => ({
  source: ref(a),
  target: ref(b),
  type,
  properties,
});
const batch = (relationships: unknown[], of = project) =>
  relationshipBatch(parse(UpsertRelationshipsRequest, { relationships }).relationships, of, pk);
const by = (value: unknown, more: object[] = []) => [
  { type: "discriminating_property", value: "k" },
  { type: "k", value },
  ...more,
];

describe("relationshipBatch", () => {
  it("sorts by type, source, target and discriminator", () => {
    const { rows } = batch([
      edge("b", "a"),
      edge("a", "b", "LIKES"),
      edge("a", "c"),
      edge("a", "b", "KNOWS", by(1)),
      edge("a", "b"),
    ]);
    expect(
      rows.map((row) => [row.type, row.sourceKey.at(-1), row.targetKey.at(-1), row.discriminator]),
    ).toEqual([
      ["KNOWS", "a", "b", ""],
      ["KNOWS", "a", "b", "1"],
      ["KNOWS", "a", "c", ""],
      ["KNOWS", "b", "a", ""],
      ["LIKES", "a", "b", ""],
    ]);
  });

  it("joins items of one identity, the last value of a property wins", () => {
    const { rows, rowOfItem } = batch([
      edge("a", "b", "KNOWS", [
        { type: "x", value: 1 },
        { type: "y", value: 1 },
      ]),
      edge("a", "b", "KNOWS", [{ type: "x", value: 2 }]),
    ]);
    expect(rows.map((row) => row.fields)).toEqual([{ x: 2, y: 1 }]);
    expect(rowOfItem[1]).toBe(rowOfItem[0]);
  });

  it("gives an id that follows from the identity alone", () => {
    const id = (relationship: unknown, of = project) => batch([relationship], of).rows[0]?.id;
    const plain = id(edge("a", "b", "KNOWS", [{ type: "x", value: 1 }]));
    expect(plain).toMatch(/^gid:[A-Za-z0-9_-]{27}$/);
    expect(id(edge("a", "b"))).toBe(plain);
    const others = [
      id(edge("b", "a")),
      id(edge("a", "b", "LIKES")),
      id({ ...edge("a", "b"), source: ref("a", "Robot") }),
      id(edge("a", "b"), newGid("project")),
      id(edge("a", "b", "KNOWS", by(1))),
      id(edge("a", "b", "KNOWS", by("1"))),
      id(edge("a", "b", "KNOWS", by(""))),
    ];
    expect(new Set([plain, ...others]).size).toBe(8);
    expect(id(edge("a", "b", "KNOWS", by(1, [{ type: "z", value: 1 }])))).toBe(others[4]);
  });

  it("stores the discriminating entry as a property", () => {
    expect(batch([edge("a", "b", "KNOWS", by("v"))]).rows[0]).toMatchObject({
      discriminator: '"v"',
      fields: { discriminating_property: "k", k: "v" },
    });
  });
});

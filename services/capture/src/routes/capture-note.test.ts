import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { nodesNote, oneNodeNote } from "./capture-note.ts";

const chain = newGid("project");

describe("the record of a batch of nodes", () => {
  it("has the values of all items, also where several are about one node", () => {
    const car = { type: "Car", external_id: "1" };
    const { data } = nodesNote("audit.capture.upsert.node", chain, [
      { ...car, properties: [{ type: "color", value: "red" }] },
      { ...car, properties: [{ type: "seats", value: 4 }] },
      { ...car, properties: [{ type: "color", value: "blue" }] },
      { type: "Car", external_id: "2" },
    ]);
    expect(data).toMatchObject({
      count: 4,
      properties: ["color", "seats"],
      values: { "Car:1": { color: "blue", seats: 4 } },
    });
  });
});

describe("the record of one node", () => {
  it("names it as its path does, by gid or by name", () => {
    const id = newGid("node");
    expect(oneNodeNote(chain, id, {}).data).toEqual({ count: 1, id });
    expect(oneNodeNote(chain, "Car:a:b", {}).data).toEqual({
      count: 1,
      keys: [{ type: "Car", external_id: "a:b" }],
    });
  });

  it("has no name where the path has none", () => {
    expect(oneNodeNote(chain, "Car", {}).data).toEqual({ count: 1 });
  });
});

import { describe, expect, it } from "@jest/globals";
import { NodeLine } from "@ikg/contracts";
import { projectKey, projectLabel } from "@ikg/physical";
import { nodeBatch } from "../nodes/node-rows.ts";
import { nodeLines } from "./node-lines.ts";

const pk = projectKey("abcdefgh");
const own = {
  type: "Person",
  external_id: "ann",
  id: "gid:1",
  is_identity: false,
  _key: "abcdefgh/Person/ann",
};
const labels = ["_Node", projectLabel(pk), `Person__${pk}`];

const linesOf = (fields: object) => nodeLines({ labels, fields: { ...own, ...fields } }, pk);
const faultOf = (fields: object): string => {
  try {
    linesOf(fields);
    return "";
  } catch (error) {
    return (error as { errors: readonly string[] }).errors[0] ?? "";
  }
};

describe("the lines of a node", () => {
  it("write the same fields again", () => {
    const fields = {
      age: 30,
      "age.update_time": "t",
      "age.metadata.source": "hr",
      "age.metadata.assurance_level": 2,
      "age.metadata.__proto__": [1, 2.5],
      "age.metadata.verified_time": "2026-01-01T00:00:00.000Z",
      "_p.id": "mine",
      "_p.id.update_time": "t",
      "_p._key": ["a"],
      "_p._key.update_time": "t",
      "weather.external_value": "resolver",
      "weather.update_time": "t",
    };
    const [line = "", ...more] = linesOf(fields);
    expect(more).toEqual([]);
    const { node } = NodeLine.parse(JSON.parse(line));
    const [row] = nodeBatch([node], pk, "t").rows;
    const written = Object.entries(row?.fields ?? {}).filter(([, value]) => value !== null);
    expect(Object.fromEntries(written)).toEqual({ ...fields, is_identity: false });
  });

  it("name what no line can hold", () => {
    expect(faultOf({ at: { x: 1 } })).toContain("Person:ann: property at cannot be exported");
    expect(faultOf({ big: 2 ** 53 })).toContain("property big cannot be exported: integer between");
    expect(faultOf({ "a.b": 1 })).toContain("field a.b was not written by this suite");
    expect(faultOf({ "a.metadata.k": 1 })).toContain("not exactly one of value and external_value");
    expect(
      faultOf({ text: "\u0001".repeat(65_000), more: Array(200).fill("\u0001".repeat(1_000)) }),
    ).toContain("property more needs more than a line");
  });

  it("are several where one is too short, with every property once", () => {
    const fields = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, "ü".repeat(60_000)]));
    const lines = linesOf(fields);
    expect(lines.length).toBeGreaterThan(4);
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(1024 * 1024);
    const names = lines.flatMap((line) =>
      (NodeLine.parse(JSON.parse(line)).node.properties ?? []).map(({ type }) => type),
    );
    expect(names.toSorted()).toEqual(Object.keys(fields).toSorted());
  });
});

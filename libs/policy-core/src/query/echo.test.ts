import { describe, expect, it } from "@jest/globals";
import { node, relationship } from "../../test/paths.ts";
import { echoOf } from "./echo.ts";
import type { Writes } from "./read-upserts.ts";

const nothing: Writes = {
  upsertNodes: [],
  upsertRelationships: [],
  deleteNodes: [],
  deleteRelationships: [],
};

const nodePaths = ["a", "b"].flatMap((alias) => [
  alias,
  `${alias}.*`,
  `${alias}.external_id`,
  `${alias}.property.*`,
  ...["x", "y"].flatMap((name) => [
    `${alias}.property.${name}`,
    `${alias}.property.${name}.*`,
    `${alias}.property.${name}.metadata.k`,
    `${alias}.property.${name}.metadata.l`,
  ]),
]);
const relationshipPaths = ["r", "q"].flatMap((alias) => [alias, `${alias}.*`, `${alias}.x`, `${alias}.y`]);

const seenNodes = (writes: Partial<Writes>): readonly string[] =>
  nodePaths.filter((path) => echoOf({ ...nothing, ...writes }).node(node(path)));
const seenRelationships = (writes: Partial<Writes>): readonly string[] =>
  relationshipPaths.filter((path) => echoOf({ ...nothing, ...writes }).relationship(relationship(path)));

describe("what a query may see because it wrote it", () => {
  it("is nothing when it writes nothing", () => {
    for (const writes of [undefined, nothing]) {
      const echo = echoOf(writes);
      expect(nodePaths.some((path) => echo.node(node(path)))).toBe(false);
      expect(relationshipPaths.some((path) => echo.relationship(relationship(path)))).toBe(false);
    }
  });

  it.each([
    ["a", ["a", "a.external_id"]],
    ["a.*", ["a.*", "a.external_id"]],
    ["a.property.x", ["a.external_id", "a.property.x"]],
    ["a.property.x.metadata.k", ["a.external_id", "a.property.x.metadata.k"]],
  ])("is, of the deleted %s, %j", (deleted, seen) => {
    expect(seenNodes({ deleteNodes: [node(deleted)] }).toSorted()).toEqual(seen.toSorted());
    expect(seenRelationships({ deleteNodes: [node(deleted)] })).toEqual([]);
  });

  it.each([
    ["r", ["r"]],
    ["r.*", ["r.*"]],
    ["r.x", ["r.x"]],
  ])("is, of the deleted relationship path %s, %j", (deleted, seen) => {
    expect(seenRelationships({ deleteRelationships: [relationship(deleted)] })).toEqual(seen);
    expect(seenNodes({ deleteRelationships: [relationship(deleted)] })).toEqual([]);
  });
});

import { describe, expect, it } from "@jest/globals";
import type { Neighbour } from "@ikg/client";
import {
  elementCount,
  type Expansion,
  neighbourhoodOf,
  nodeKey,
  nodeTypes,
  relationshipTypes,
  withoutTypes,
} from "./neighbourhood.ts";

const ann = { type: "Person", external_id: "ann" };
const bob = { type: "Person", external_id: "bob" };
const atlas = { type: "constructor", external_id: "__proto__" };

const neighbour = (direction: "in" | "out", type: string, node: typeof ann): Neighbour => ({
  relationship: { type, direction, properties: [] },
  node: { ...node, id: "gid:x", is_identity: false, labels: [] },
});

const expansion = (node: typeof ann, ...neighbours: Neighbour[]): [string, Expansion] => [
  nodeKey(node),
  { node, neighbours, status: "ready", cursor: undefined },
];

const all = neighbourhoodOf(
  ann,
  new Map([
    expansion(ann, neighbour("out", "KNOWS", bob), neighbour("out", "READS", atlas)),
    // The same relationship, seen from its other end, and one of a node with itself in both directions.
    expansion(
      bob,
      neighbour("in", "KNOWS", ann),
      neighbour("out", "KNOWS", bob),
      neighbour("in", "KNOWS", bob),
    ),
  ]),
);

describe("a neighbourhood", () => {
  it("has every node and every relationship once, whatever their names are", () => {
    expect([...all.nodes.values()].map(({ external_id: id }) => id)).toEqual(["ann", "bob", "__proto__"]);
    expect(all.relationships.map(({ source, type, target }) => [source, type, target])).toEqual([
      [nodeKey(ann), "KNOWS", nodeKey(bob)],
      [nodeKey(ann), "READS", nodeKey(atlas)],
      [nodeKey(bob), "KNOWS", nodeKey(bob)],
    ]);
    expect(elementCount(all)).toBe(6);
    expect([...nodeTypes(all)]).toEqual([
      ["Person", 2],
      ["constructor", 1],
    ]);
    expect(relationshipTypes(all)).toEqual(["KNOWS", "READS"]);
  });

  it("keeps the node that it is about when its type is filtered out, and no relationship without both ends", () => {
    const people = withoutTypes(all, new Set(["Person"]));
    expect([...people.nodes.keys()]).toEqual([nodeKey(ann), nodeKey(atlas)]);
    expect(people.relationships.map(({ type }) => type)).toEqual(["READS"]);
  });
});

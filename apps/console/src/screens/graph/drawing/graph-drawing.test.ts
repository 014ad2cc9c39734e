import { describe, expect, it } from "@jest/globals";
import type { Neighbour } from "@ikg/client";
import { eventually } from "../../../../../../stack/src/testing/eventually.ts";
import { openDrawing } from "../../../components/cytoscape.ts";
import {
  type Expansion,
  type Neighbourhood,
  neighbourhoodOf,
  nodeKey,
  withoutTypes,
} from "../neighbourhood/neighbourhood.ts";
import { typeLooks } from "../type-looks.ts";
import { GraphDrawing } from "./graph-drawing.ts";

const root = { type: "Person", external_id: "ann" };
const book = (id: string) => ({ type: "Book", external_id: id });

const neighbour = (id: string): Neighbour => ({
  relationship: { type: "READS", direction: "out", properties: [] },
  node: { ...book(id), id: "gid:x", is_identity: false, labels: [] },
});

const expansion = (node: Expansion["node"], ids: readonly string[]): [string, Expansion] => [
  nodeKey(node),
  { node, neighbours: ids.map(neighbour), status: "ready", cursor: undefined },
];

const ids = (count: number, prefix = "b") => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

const looks = typeLooks(["Book", "Person"]);
const state = (shown: Neighbourhood) => ({
  shown,
  expanded: new Set([nodeKey(root)]),
  selected: nodeKey(root),
  looks,
});

const open = () =>
  new GraphDrawing(
    (options) => openDrawing({ ...options, headless: true, styleEnabled: true }),
    (name) => (name === "" ? "" : "#123456"),
  );

const places = (drawing: GraphDrawing) =>
  new Map(drawing.core.nodes().map((node) => [node.id(), { ...node.position() }]));

describe("a drawing", () => {
  const first = expansion(root, ids(8));
  const small = neighbourhoodOf(root, new Map([first]));
  const large = neighbourhoodOf(root, new Map([first, expansion(book("b3"), ids(12, "c"))]));

  it("keeps every node in its place when one is expanded, and places the new ones near that", () => {
    const drawing = open();
    drawing.draw(state(small));
    const before = places(drawing);
    expect(before.size).toBe(9);
    drawing.draw(state(large));
    const after = places(drawing);
    expect(after.size).toBe(21);
    for (const [key, place] of before) {
      expect(after.get(key)?.x).toBeCloseTo(place.x, 3);
      expect(after.get(key)?.y).toBeCloseTo(place.y, 3);
    }
  });

  it("gives a node that was filtered out its place back", () => {
    const drawing = open();
    drawing.draw(state(small));
    const before = places(drawing);
    drawing.draw(state(withoutTypes(small, new Set(["Book"]))));
    expect([...places(drawing).keys()]).toEqual([nodeKey(root)]);
    drawing.draw(state(small));
    expect(places(drawing)).toEqual(before);
  });

  it("changes the looks of drawn nodes when the types of the graph become known", () => {
    const drawing = new GraphDrawing(
      (options) => openDrawing({ ...options, headless: true, styleEnabled: true }),
      (name) => name,
    );
    const shownLooks = () =>
      drawing.core.nodes().map((node) => [node.data("type"), node.data("color"), node.data("shape")]);
    const looksOf = (types: readonly string[]) =>
      [...small.nodes.values()].map(({ type }) => {
        const { color, shape } = typeLooks(types)(type);
        return [type, color, shape];
      });
    drawing.draw({ ...state(small), looks: typeLooks([]) });
    expect(shownLooks()).toEqual(looksOf([]));
    drawing.draw(state(small));
    expect(shownLooks()).toEqual(looksOf(["Book", "Person"]));
    expect(looksOf([])).not.toEqual(looksOf(["Book", "Person"]));
  });

  it.each(["at once", "by an animation"])("does not enlarge a single node beyond 1.3 %s", async (way) => {
    const drawing = open();
    // Without a window it has no size.
    Object.assign(drawing.core, { width: () => 800, height: () => 600 });
    const single = state(withoutTypes(small, new Set(["Book"])));
    if (way === "by an animation") drawing.draw(state(small));
    drawing.draw(single);
    await eventually(
      () => drawing.core.animated(),
      (is) => !is,
    );
    expect(drawing.core.zoom()).toBeCloseTo(1.3, 5);
    drawing.zoom(1.3);
    expect(drawing.core.zoom()).toBeCloseTo(1.69, 5);
    drawing.destroy();
  });

  it("goes by arrow keys to every node and back", () => {
    const drawing = open();
    drawing.draw(state(small));
    const reached = new Set([nodeKey(root)]);
    for (const from of reached)
      for (const direction of ["up", "down", "left", "right"] as const) {
        const next = drawing.next(from, direction);
        if (next !== undefined) reached.add(next);
      }
    expect(reached.size).toBe(9);
  });

  it("draws 2,000 elements in a second and a half", () => {
    const hub = neighbourhoodOf(root, new Map([expansion(root, ids(1_000))]));
    const drawing = open();
    const start = performance.now();
    drawing.draw(state(hub));
    expect(performance.now() - start).toBeLessThan(1_500);
    expect(drawing.core.elements().length).toBe(2_001);
  });
});

import { describe, expect, it } from "@jest/globals";
import { type Point, placeAround } from "./placement.ts";

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

const nearest = (points: readonly Point[]): number =>
  Math.min(
    ...points.flatMap((point, at) => points.slice(at + 1).map((other) => distance(point, other))),
    Number.POSITIVE_INFINITY,
  );

const center = { x: 10, y: -20 };

describe("places around a node", () => {
  it.each([0, 1, 2, 5, 10, 11, 60, 400])("are as many as asked for and not near each other: %i", (count) => {
    const points = placeAround(center, undefined, count, [center]);
    expect(points).toHaveLength(count);
    expect(nearest([...points, center])).toBeGreaterThan(45);
  });

  it("keep clear of what stands there already", () => {
    const others = placeAround(center, undefined, 30, [center]);
    const points = placeAround(center, undefined, 40, [center, ...others]);
    expect(nearest([center, ...others, ...points])).toBeGreaterThan(45);
  });

  it("begin on the side away from where the node came from", () => {
    const parent = { x: -200, y: -20 };
    const points = placeAround(center, parent, 3, [center, parent]);
    for (const point of points) expect(distance(point, parent)).toBeGreaterThan(distance(center, parent));
  });

  it("are the same each time", () => {
    expect(placeAround(center, undefined, 50, [])).toEqual(placeAround(center, undefined, 50, []));
  });
});

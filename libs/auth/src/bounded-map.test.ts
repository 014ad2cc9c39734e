import { expect, it } from "@jest/globals";
import { boundedMap } from "./bounded-map.ts";

it("forgets what was not used for longest", () => {
  const forgotten: number[] = [];
  const map = boundedMap<string, number>(2, (value) => forgotten.push(value));
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, undefined, 3]);
  expect(forgotten).toEqual([2]);
  map.set("c", 4);
  expect([map.size, map.get("c")]).toEqual([2, 4]);
  map.deleteWhere((value) => value === 4);
  expect([...map.values()]).toEqual([1]);
  map.clear();
  expect(map.size).toBe(0);
});

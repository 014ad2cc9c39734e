import { expect, it } from "@jest/globals";
import { withKey } from "../../src/data-plane.ts";
import { must } from "../../src/must.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { requireRefusal } from "../../src/refusal.ts";
import { createTenant } from "../../src/tenant.ts";

/** A project may have fewer names than the default: names are never freed, and these tests share a database. */
const limits = { property_names: 60, relationship_types: 20, node_types: 20 };
const neighbours = useNeighbours(limits);

const names = (stem: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${stem}${at}`);

const capture = (collection: "nodes" | "relationships", items: readonly object[]) =>
  withKey(`/capture/v1/${collection}`, neighbours.heavy, { json: { [collection]: items } });

const withProperties = (external_id: string, types: readonly string[]) => ({
  type: "Person",
  external_id,
  properties: types.map((type) => ({ type, value: 1 })),
});
const relationship = (type: string) => ({
  source: { type: "Person", external_id: "heavy" },
  target: { type: "Hub", external_id: "hub" },
  type,
});

it("5,000 property names in one batch are refused, and nothing of it is written", async () => {
  const keys = names("key", 5_000);
  const nodes = Array.from({ length: 250 }, (_, at) =>
    withProperties(`n${at}`, keys.slice(at * 20, (at + 1) * 20)),
  );
  const { result, faults } = await neighbours.beside(() => capture("nodes", nodes));
  expect(requireRefusal(result, 422).join()).toMatch(/property_names.*60/);
  expect(faults).toEqual([]);
});

it("names are counted over batches, and names that exist stay usable", async () => {
  must(await capture("nodes", [withProperties("one", names("a", 40))]), 200);
  expect(requireRefusal(await capture("nodes", [withProperties("two", names("b", 40))]), 422).join()).toMatch(
    /property_names/,
  );
  must(await capture("nodes", [withProperties("three", names("a", 40))]), 200);
});

it("250 relationship types in one batch are refused, and do not keep the planner busy", async () => {
  const { result, faults } = await neighbours.beside(() =>
    capture(
      "relationships",
      names("TYPE_", 250).map((type) => relationship(type)),
    ),
  );
  expect(requireRefusal(result, 422).join()).toMatch(/relationship_types.*20/);
  expect(faults).toEqual([]);
});

it("250 node types in one batch are refused", async () => {
  const nodes = names("Kind", 250).map((type) => ({ type, external_id: "one" }));
  expect(requireRefusal(await capture("nodes", nodes), 422).join()).toMatch(/node_types.*20/);
});

it("a project states no limit above the operator's", async () => {
  await expect(createTenant("greedy", { limits: { property_names: 2_000_000_000 } })).rejects.toThrow(
    /property_names: .*422/,
  );
});

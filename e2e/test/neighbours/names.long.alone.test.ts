import { expect, it } from "@jest/globals";
import { createTenant } from "../../src/configuration/tenant.ts";
import {
  captureManyNodeTypes,
  captureManyProperties,
  captureManyRelationshipTypes,
  captureProperties,
  nameLimits,
  names,
} from "../../src/neighbours/attacks/too-many-names.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { must } from "../../src/requests/must.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";

const neighbours = useNeighbours(nameLimits);

it("5,000 property names in one batch are refused, and nothing of it is written", async () => {
  const { result, faults } = await neighbours.beside(() => captureManyProperties(neighbours.heavy));
  expect(requireRefusal(result, 422).join()).toMatch(/property_names.*60/);
  expect(faults).toEqual([]);
});

it("names are counted over batches, and names that exist stay usable", async () => {
  const { heavy } = neighbours;
  must(await captureProperties("one", names("a", 40), heavy), 200);
  expect(requireRefusal(await captureProperties("two", names("b", 40), heavy), 422).join()).toMatch(
    /property_names/,
  );
  must(await captureProperties("three", names("a", 40), heavy), 200);
});

it("250 relationship types in one batch are refused, and do not keep the planner busy", async () => {
  const { result, faults } = await neighbours.beside(() => captureManyRelationshipTypes(neighbours.heavy));
  expect(requireRefusal(result, 422).join()).toMatch(/relationship_types.*20/);
  expect(faults).toEqual([]);
});

it("250 node types in one batch are refused", async () => {
  const answer = await captureManyNodeTypes(neighbours.heavy);
  expect(requireRefusal(answer, 422).join()).toMatch(/node_types.*20/);
});

it("a project states no limit above the operator's", async () => {
  await expect(createTenant("greedy", { limits: { property_names: 2_000_000_000 } })).rejects.toThrow(
    /property_names: .*422/,
  );
});

import { expect, it } from "@jest/globals";
import { countedTypes } from "./complete-list.ts";

const counted = { node_types: ["Person", "Car"], inOrganization: false };
const reserved = { ...counted, inOrganization: true };

it.each([
  ["none of a list that was never made", undefined, 0],
  ["none of one that an earlier build completed", { ...counted, organizationTypes: null }, 0],
  ["those that were reserved before its graph was counted", { ...counted, organizationTypes: 1 }, 1],
  ["all of one that an earlier build reserved in afterwards", { ...reserved, organizationTypes: 1 }, 2],
])("of a list its organization counts %s", (_which, row, expected) => {
  expect(countedTypes(row)).toBe(expected);
});

import { expect, it } from "@jest/globals";
import { previewOf } from "./captured-line.ts";

it("shows nodes and relationships of rows, with their properties", () => {
  const node = {
    type: "Pilot",
    external_id: "amelia",
    properties: [
      { type: "hours", value: 3 },
      { type: "rank", external_value: "ranks" },
    ],
  };
  const relationship = {
    source: { type: "Pilot", external_id: "amelia" },
    type: "MEMBER_OF",
    target: { type: "Club", external_id: "c" },
  };
  const { nodes, relationships } = previewOf([
    { file: "a.csv", row: 7, lines: [{ node }, { relationship }, null] },
  ]);
  expect(nodes).toEqual([
    {
      id: '["a.csv",7,0]',
      place: "a.csv, row 7",
      type: "Pilot",
      externalId: "amelia",
      properties: "hours: 3, rank by the resolver ranks",
    },
  ]);
  expect(relationships.map(({ source, type, target }) => [source, type, target])).toEqual([
    ["Pilot amelia", "MEMBER_OF", "Club c"],
  ]);
});

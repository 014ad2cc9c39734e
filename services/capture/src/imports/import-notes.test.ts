import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { importNotes } from "./import-notes.ts";

const projectId = newGid("project");
const id = newGid("import");
const notesOf = (status: "done" | "failed" | "cancelled", nodes: number, relationships: number) =>
  importNotes({ id, projectId, status }, { nodes, relationships }).map(({ type, data, outcome }) => ({
    type,
    data,
    outcome,
  }));

it("an import has a record for each kind of rows, which says how it ended", () => {
  expect(notesOf("done", 2, 0)).toEqual([
    { type: "audit.capture.upsert.node", data: { count: 2, import_id: id }, outcome: undefined },
  ]);
  expect(notesOf("failed", 0, 3)).toEqual([
    { type: "audit.capture.upsert.relationship", data: { count: 3, import_id: id }, outcome: "failed" },
  ]);
  expect(notesOf("cancelled", 2, 0)).toEqual([
    {
      type: "audit.capture.upsert.node",
      data: { count: 2, import_id: id, cancelled: true },
      outcome: "failed",
    },
  ]);
});

it("an import that failed before it wrote a row has a record, too", () => {
  expect(notesOf("failed", 0, 0)).toMatchObject([{ data: { count: 0, import_id: id }, outcome: "failed" }]);
  expect(notesOf("cancelled", 0, 0)).toEqual([]);
  expect(notesOf("done", 0, 0)).toEqual([]);
});

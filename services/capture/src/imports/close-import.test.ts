import { expect, it } from "@jest/globals";
import { defaultOrganizationNames, effectiveLimits, newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { importChunkLabel, projectKey } from "@ikg/physical";
import { graphIdOf } from "../projects/graph-id.ts";
import type { Project } from "../projects/projects.ts";
import { closeImport } from "./close-import.ts";
import type { ImportParts } from "./imports.ts";
import type { ImportRecord, Outcome } from "./records.ts";
import { removeStagedText, waitingText } from "./statements.ts";

const project: Project = {
  id: newGid("project"),
  pk: projectKey("abcdefgh"),
  ikgStatus: "ACTIVE",
  limits: effectiveLimits({}),
  organizationId: newGid("organization"),
  organizationNames: defaultOrganizationNames,
};

/** A cancelled import of ten nodes. */
const cancelled: ImportRecord = {
  id: newGid("import"),
  projectId: project.id,
  pk: project.pk,
  graph: graphIdOf(project),
  status: "cancelled",
  createTime: "2026-01-01T00:00:00.000Z",
  startTime: "2026-01-01T00:00:01.000Z",
  endTime: "2026-01-01T00:00:02.000Z",
  heartbeatTime: "2026-01-01T00:00:00.000Z",
  reason: undefined,
  lines: 10,
  nodes: 10,
  relationships: 0,
  rejectedAtUpload: 0,
  rejectionsKept: 100,
  outcome: undefined,
};

it("an import that is closed again has written what was written at first: removed rows do not count", async () => {
  const outcomes: number[] = [];
  let staged = 4;
  let isKilled = true;
  const run = async (text: string) => {
    if (text !== removeStagedText(importChunkLabel)) return [];
    staged = 1;
    if (isKilled) throw new Error("killed");
    staged = 0;
    return [{ removed: 1 }];
  };
  const read = async (text: string) =>
    text === waitingText ? [{ relationships: false, rows: staged }] : [{ kept: 0, more: 0 }];
  const database = { read, write: async (work: (tx: object) => unknown) => work({ run }) };
  let stored: Outcome | undefined;
  const records = {
    settle: async (_id: string, outcome: Outcome) => ({ ...cancelled, outcome: (stored ??= outcome) }),
    close: async () => undefined,
    surplus: async () => [],
  };
  const parts = {
    graph: { of: () => database } as unknown as Graph, // nothing else is called
    records,
    onEnded: async ({ outcome }: { outcome: Outcome }) => void outcomes.push(outcome.nodesWritten),
  } as unknown as ImportParts; // as much of it as is used
  await expect(closeImport(parts, project, cancelled)).rejects.toThrow("killed");
  isKilled = false;
  expect((await closeImport(parts, project, cancelled)).outcome).toMatchObject({ nodesWritten: 6 });
  expect(outcomes).toEqual([6]);
});

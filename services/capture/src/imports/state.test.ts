import { describe, expect, it } from "@jest/globals";
import { defaultOrganizationNames, effectiveLimits, newGid } from "@ikg/contracts";
import type { Connection, Graph } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { graphIdOf } from "../projects/graph-id.ts";
import type { Project } from "../projects/projects.ts";
import type { ImportRecord } from "./records.ts";
import { outcomeOf } from "./state.ts";
import { waitingText } from "./statements.ts";

const connection = { url: "bolt://one.example", username: "neo4j", password: "secret" };
const project: Project = {
  id: newGid("project"),
  pk: projectKey(""),
  connection,
  ikgStatus: "ACTIVE",
  limits: effectiveLimits({}),
  organizationId: newGid("organization"),
  organizationNames: defaultOrganizationNames,
};

/** An import of ten nodes, with two lines that were rejected during the upload. */
const record: ImportRecord = {
  id: newGid("import"),
  projectId: project.id,
  pk: project.pk,
  graph: graphIdOf(project),
  status: "running",
  createTime: "2026-01-01T00:00:00.000Z",
  startTime: "2026-01-01T00:00:01.000Z",
  endTime: undefined,
  heartbeatTime: "2026-01-01T00:00:00.000Z",
  reason: undefined,
  lines: 12,
  nodes: 10,
  relationships: 0,
  rejectedAtUpload: 2,
  rejectionsKept: 100,
  outcome: undefined,
};

/** A graph in which this many nodes are staged, and both rejected lines. */
const graphOf = (nodes: number): Graph =>
  ({
    of: () => ({
      read: async (text: string) =>
        text === waitingText ? [{ relationships: false, rows: nodes }] : [{ kept: 2, more: 0 }],
    }),
  }) as unknown as Graph; // nothing else is called

describe("the outcome of an import", () => {
  it("counts rows as written that are no longer staged", async () => {
    expect(await outcomeOf({ graph: graphOf(4) }, record, project)).toEqual({
      nodesWritten: 6,
      relationshipsWritten: 0,
      rejected: 2,
      notKept: 0,
    });
  });

  it("counts no row of an import that was cancelled before it began, though some are in no chunk yet", async () => {
    const cancelled: ImportRecord = { ...record, status: "cancelled", startTime: undefined };
    expect(await outcomeOf({ graph: graphOf(4) }, cancelled, project)).toMatchObject({
      nodesWritten: 0,
      rejected: 2,
      notKept: 0,
    });
  });

  it("counts no row of a project that was moved: what is staged was left behind", async () => {
    const outcomeAt = (changes: Partial<Connection>) =>
      outcomeOf({ graph: graphOf(0) }, record, { ...project, connection: { ...connection, ...changes } });
    for (const moved of [{ url: "bolt://two.example" }, { name: "other" }])
      expect(await outcomeAt(moved)).toEqual({
        nodesWritten: 0,
        relationshipsWritten: 0,
        rejected: 2,
        notKept: 2,
      });
    // The same database with another password, or with its name written out.
    for (const same of [{ password: "new" }, { name: "neo4j" }])
      expect(await outcomeAt(same)).toMatchObject({ nodesWritten: 10 });
  });

  it("takes no project for moved whose connection, now or then, is not known", async () => {
    const unknown = { ...project, connection: undefined };
    const former: ImportRecord = { ...record, graph: undefined };
    for (const [each, at] of [
      [former, project],
      [record, unknown],
    ] as const)
      expect(await outcomeOf({ graph: graphOf(4) }, each, at)).toMatchObject({ nodesWritten: 6 });
  });
});

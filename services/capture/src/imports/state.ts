import { type Import, Problem } from "@ikg/contracts";
import type { Project } from "../projects/projects.ts";
import { hasMoved, type ImportParts, stagingOf } from "./imports.ts";
import type { ImportRecord, Outcome } from "./records.ts";

/** The address of an import. */
export const importPath = (id: string): string => `/capture/v1/imports/${id}`;

const nothingWritten = { nodesWritten: 0, relationshipsWritten: 0 };

/**
 * The outcome of the rows so far: staged rows are not written yet, and lines rejected after the upload are relationships
 * without a source or target. Nothing is counted while rows are written, so writers never wait for a counter.
 *
 * @throws as `Database.read`.
 */
export const outcomeOf = async (
  parts: Pick<ImportParts, "graph">,
  record: ImportRecord,
  project: Project,
): Promise<Outcome> => {
  const { id, nodes, relationships, rejectedAtUpload, rejectionsKept, startTime } = record;
  // The former database has what was staged, and rows that were written there are not in the graph of the project.
  if (hasMoved(record, project))
    return { ...nothingWritten, rejected: rejectedAtUpload, notKept: rejectedAtUpload };
  const staging = stagingOf(parts, project, id);
  const [waiting, { kept, more }] = await Promise.all([staging.waiting(), staging.rejected()]);
  // Both were read at almost the same time: a row may be missing in both.
  const lost = Math.max(0, kept - Math.min(rejectedAtUpload, rejectionsKept)) + more;
  const rejected = rejectedAtUpload + lost;
  const notKept = Math.max(0, rejected - kept);
  // Before a worker begins, rows that are counted may be in no chunk yet.
  if (startTime === undefined) return { ...nothingWritten, rejected, notKept };
  return {
    nodesWritten: Math.max(0, nodes - waiting.nodes),
    relationshipsWritten: Math.max(0, relationships - waiting.relationships - lost),
    rejected,
    notKept,
  };
};

const seconds = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

/** Two digits are enough for a reader. */
const rounded = (value: number): number => Math.round(value * 100) / 100;

const percentOf = (record: ImportRecord, outcome: Outcome): number => {
  if (record.status === "done") return 100;
  const total = record.nodes + record.relationships;
  const settled =
    outcome.nodesWritten +
    outcome.relationshipsWritten +
    Math.max(0, outcome.rejected - record.rejectedAtUpload);
  return record.startTime === undefined || total === 0 ? 0 : rounded((100 * settled) / total);
};

const rateOf = ({ startTime, endTime }: ImportRecord, outcome: Outcome, now: string): number => {
  if (startTime === undefined) return 0;
  const elapsed = seconds(startTime, endTime ?? now);
  const written = outcome.nodesWritten + outcome.relationshipsWritten;
  return elapsed <= 0 ? 0 : Math.round(written / elapsed);
};

/** An import as its caller sees it. */
export const importView = (record: ImportRecord, outcome: Outcome, now: string): Import => {
  const { id, status, createTime, startTime, endTime, reason, lines } = record;
  const { nodesWritten, relationshipsWritten, rejected, notKept } = outcome;
  return {
    id,
    status,
    create_time: createTime,
    ...(startTime === undefined ? {} : { start_time: startTime }),
    ...(endTime === undefined ? {} : { end_time: endTime }),
    ...(reason === undefined ? {} : { reason }),
    lines,
    nodes: { total: record.nodes, written: nodesWritten },
    relationships: { total: record.relationships, written: relationshipsWritten },
    rejected: {
      count: rejected,
      ...(notKept === 0 ? {} : { not_kept: notKept }),
      ...(rejected === 0 ? {} : { href: `${importPath(id)}/rejected` }),
    },
    percent: percentOf(record, outcome),
    rows_per_second: rateOf(record, outcome, now),
  };
};

/**
 * An import with its counts as they are now.
 *
 * @throws Problem `not_found` (404) when its project is gone, and as the graph.
 */
export const stateOf = async (parts: ImportParts, record: ImportRecord): Promise<Import> => {
  const now = parts.now().toISOString();
  if (record.outcome !== undefined) return importView(record, record.outcome, now);
  const project = await parts.projects.project(record.projectId);
  if (project === undefined) throw new Problem("not_found");
  return importView(record, await outcomeOf(parts, record, project), now);
};

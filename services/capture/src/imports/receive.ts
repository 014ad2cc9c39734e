import { openLoopTurns } from "@ikg/concurrency";
import { type Gid, newGid, Problem } from "@ikg/contracts";
import { importChunkLabel, importRejectionLabel } from "@ikg/physical";
import { openQuarterSlots } from "../projects/quarter-slots.ts";
import { graphIdOf } from "../projects/graph-id.ts";
import { activeProject, type Project } from "../projects/projects.ts";
import type { Request } from "../batches/transaction.ts";
import { type ImportParts, stagingOf } from "./imports.ts";
import { type IntakeBuffer, openIntakeBuffer } from "./intake-buffer.ts";
import { readLine } from "./line.ts";
import { splitLines } from "./split-lines.ts";
import type { ImportRecord } from "./records.ts";
import { type MutableIntakeCounts, type NumberedLine, stageLines } from "./stage-lines.ts";
import { storedBytesBound } from "./stored-bytes.ts";
import type { Staging } from "./staging.ts";
import type { Upload } from "./upload.ts";
import { checkLength, uploadTimeout, type UploadSettings } from "./upload-bounds.ts";

/** How often the record notes that the intake is alive. */
const heartbeatMs = 20_000;

const cancelled = (): Problem => new Problem("conflict", { errors: ["import: cancelled"] });

const shuttingDown = (): Problem => new Problem("unavailable", { headers: { "Retry-After": "5" } });

const tooManyWaiting = (limit: number): Problem =>
  new Problem("too_many_requests", {
    errors: [
      `imports_waiting: the project has ${limit} imports that have not ended (limit imports_waiting, ${limit})`,
    ],
    headers: { "Retry-After": "30" },
  });

/** An import whose lines are arriving. */
interface Intake {
  readonly id: Gid;
  readonly project: Project;
  readonly upload: Upload;
  readonly signal: AbortSignal;
  readonly staging: Staging;
  readonly buffer: IntakeBuffer;
  readonly counts: MutableIntakeCounts;
}

const openIntake = (parts: ImportParts, project: Project, upload: Upload, { signal }: Request): Intake => {
  const id = newGid("import");
  const staging = stagingOf(parts, project, id);
  const counts = { lines: 0, nodes: 0, relationships: 0, rejectedAtIntake: 0, storedBytes: 0 };
  return {
    id,
    project,
    upload,
    signal,
    staging,
    buffer: openIntakeBuffer(staging, project.limits.rejected_lines, (bytes) => {
      counts.storedBytes += bytes;
    }),
    counts,
  };
};

/**
 * Keeps the record of an intake alive, and ends the text when the import is cancelled, when it takes too long and when the
 * process ends.
 *
 * @returns ends the supervision.
 */
const superviseIntake = (
  { records, now }: ImportParts,
  intake: Intake,
  { longestMs }: UploadSettings,
): (() => void) => {
  const { id, counts, signal } = intake;
  const { text } = intake.upload;
  const heartbeat = setInterval(() => {
    records.heartbeat(id, counts, now().toISOString()).then(
      (isWanted) => {
        if (!isWanted) text.destroy(cancelled());
      },
      // A single lost heartbeat does no harm: an intake counts as dead after ten minutes of silence.
      () => undefined,
    );
  }, heartbeatMs);
  // A caller who disconnects has ended the text already; otherwise the process is shutting down.
  const onAbort = (): void => void setImmediate(() => text.destroy(shuttingDown()));
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  const timeout = setTimeout(() => text.destroy(uploadTimeout(longestMs)), longestMs);
  return () => {
    clearInterval(heartbeat);
    clearTimeout(timeout);
    signal.removeEventListener("abort", onAbort);
  };
};

interface IntakeSettings extends UploadSettings {
  /** Resolves when an upload may work on its next slice. */
  readonly turn: () => Promise<void>;
}

/**
 * Bytes of text, about a millisecond of work, after which other requests of this process get their turn, and other uploads after them. A
 * request needs several turns, and waits for a slice in each.
 */
const sliceBytes = 4 * 1024;

const slicesOf = function* (piece: Buffer): Generator<Buffer> {
  for (let from = 0; from < piece.length; from += sliceBytes) yield piece.subarray(from, from + sliceBytes);
};

/** Reads the text to its end and stages its lines; no more is held than the chunks under way. */
const stageText = async (
  { names, records, now }: Pick<ImportParts, "names" | "records" | "now">,
  { id, project, upload: { text, sentBytes }, buffer, counts }: Intake,
  { ratio, turn }: Pick<IntakeSettings, "ratio" | "turn">,
): Promise<void> => {
  let lines: NumberedLine[] = [];
  const splitter = splitLines((bytes, number) => {
    const line = readLine(bytes);
    if (line !== undefined) lines.push({ number, line });
  });
  const stage = async (): Promise<void> => {
    const staged = lines;
    lines = [];
    counts.lines = splitter.lines;
    await stageLines({ project, names, buffer, counts }, staged);
    await buffer.ready();
  };
  const { import_bytes: limit, import_stored_bytes: storedLimit } = project.limits;
  const bounds = { limit, ratio };
  const holdStored = storedBytesBound(records, { id, projectId: project.id, counts }, storedLimit, now);
  let textBytes = 0;
  for await (const each of text) {
    const piece = each as Buffer; // no encoding is set
    textBytes += piece.length;
    checkLength(textBytes, sentBytes(), bounds);
    for (const slice of slicesOf(piece)) {
      await turn();
      splitter.push(slice);
      await stage();
    }
    await holdStored();
  }
  splitter.end();
  await stage();
  if (counts.nodes + counts.relationships + counts.rejectedAtIntake === 0)
    throw new Problem("malformed_body", { errors: ["body: at least one line expected"] });
  await buffer.finish();
  await holdStored();
};

/** Removes what a failed intake has staged. What cannot be removed now is removed once the intake counts as dead. */
const discard = async ({ records }: ImportParts, intake: Intake): Promise<void> => {
  const { id, buffer, staging } = intake;
  await buffer.settled();
  try {
    await staging.remove(importChunkLabel);
    await staging.remove(importRejectionLabel);
    await records.discard(id);
  } catch {
    // The reconciler finds it.
  }
};

const receive = async (
  parts: ImportParts,
  settings: IntakeSettings,
  intake: Intake,
): Promise<ImportRecord> => {
  const { records, recordsFor, now } = parts;
  const { id, project, signal, counts } = intake;
  const { imports_waiting: maxWaiting, rejected_lines: rejectionsKept } = project.limits;
  const { id: projectId, pk } = project;
  const record = { id, projectId, pk, graph: graphIdOf(project), rejectionsKept };
  const ofRequests = await recordsFor(projectId);
  if (!(await ofRequests.create(record, maxWaiting, now().toISOString()))) throw tooManyWaiting(maxWaiting);
  const stopSupervising = superviseIntake(parts, intake, settings);
  try {
    await stageText(parts, intake, settings);
    if (signal.aborted) throw shuttingDown();
    const queued = await records.queue(id, counts);
    if (queued === undefined) throw cancelled();
    return queued;
  } catch (error) {
    await discard(parts, intake);
    throw error;
  } finally {
    stopSupervising();
  }
};

/**
 * Stages the lines of an import: each is checked, and kept compressed in the database of its project, in the order in which
 * rows of one node or relationship came. Nothing is written to the graph.
 *
 * @param upload the lines; its failure counts as that of the import.
 * @returns the record of an import that waits for a worker.
 * @throws Problem `not_found` (404) without an active graph, `malformed_body` (400) without a line, `conflict` (409)
 *   when it is cancelled meanwhile, `unprocessable` (422) for a text that is too long, `too_many_requests` (429) when the
 *   project has too many imports, `unavailable` (503) when this process takes no more, and what `text` and the graph
 *   throw: nothing is staged then.
 */
export const receiveImport = (
  parts: ImportParts,
  settings: UploadSettings,
): ((projectId: Gid, upload: Upload, request: Request) => Promise<ImportRecord>) => {
  const slots = openQuarterSlots(settings.uploads, {
    place: "imports",
    things: "uploads",
    setting: "IMPORT_UPLOADS",
  });
  const intakeSettings = { ...settings, turn: openLoopTurns() };
  return async (projectId, upload, request) => {
    const project = await activeProject(parts.projects, projectId);
    const release = slots.take(project);
    try {
      return await receive(parts, intakeSettings, openIntake(parts, project, upload, request));
    } finally {
      release();
    }
  };
};

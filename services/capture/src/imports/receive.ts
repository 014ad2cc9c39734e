import { openLoopTurns } from "@ikg/concurrency";
import { type Gid, newGid, Problem } from "@ikg/contracts";
import { importChunkLabel, importRejectionLabel } from "@ikg/physical";
import { openQuarterSlots } from "../projects/quarter-slots.ts";
import { graphIdOf } from "../projects/graph-id.ts";
import { activeProject, type Project } from "../projects/projects.ts";
import type { Request } from "../batches/transaction.ts";
import { type ImportParts, stagingOf } from "./imports.ts";
import { type UploadBuffer, openUploadBuffer } from "./upload-buffer.ts";
import { readLine } from "./line.ts";
import { splitLines } from "./split-lines.ts";
import type { ImportRecord } from "./records.ts";
import { type MutableUploadCounts, type NumberedLine, stageLines } from "./stage-lines.ts";
import { storedBytesBound } from "./stored-bytes.ts";
import type { Staging } from "./staging.ts";
import type { Upload } from "./upload.ts";
import { checkLength, uploadTimeout, type UploadSettings } from "./upload-bounds.ts";

/** How often the record notes that the upload is alive. */
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
interface UploadContext {
  readonly id: Gid;
  readonly project: Project;
  readonly upload: Upload;
  readonly signal: AbortSignal;
  readonly staging: Staging;
  readonly buffer: UploadBuffer;
  readonly counts: MutableUploadCounts;
}

const openUploadContext = (
  parts: ImportParts,
  project: Project,
  upload: Upload,
  { signal }: Request,
): UploadContext => {
  const id = newGid("import");
  const staging = stagingOf(parts, project, id);
  const counts = { lines: 0, nodes: 0, relationships: 0, rejectedAtUpload: 0, storedBytes: 0 };
  return {
    id,
    project,
    upload,
    signal,
    staging,
    buffer: openUploadBuffer(staging, project.limits.rejected_lines, (bytes) => {
      counts.storedBytes += bytes;
    }),
    counts,
  };
};

/**
 * Keeps the record of an upload alive, and ends the text when the import is cancelled, when it takes too long and when the
 * process ends.
 *
 * @returns ends the supervision.
 */
const superviseUpload = (
  { records, now }: ImportParts,
  context: UploadContext,
  { longestMs }: UploadSettings,
): (() => void) => {
  const { id, counts, signal } = context;
  const { text } = context.upload;
  const heartbeat = setInterval(() => {
    records.heartbeat(id, counts, now().toISOString()).then(
      (isWanted) => {
        if (!isWanted) text.destroy(cancelled());
      },
      // A single lost heartbeat does no harm: an upload counts as dead after ten minutes of silence.
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

interface ReceiveSettings extends UploadSettings {
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
  { id, project, upload: { text, sentBytes }, buffer, counts }: UploadContext,
  { ratio, turn }: Pick<ReceiveSettings, "ratio" | "turn">,
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
  if (counts.nodes + counts.relationships + counts.rejectedAtUpload === 0)
    throw new Problem("malformed_body", { errors: ["body: at least one line expected"] });
  await buffer.finish();
  await holdStored();
};

/** Removes what a failed upload has staged. What cannot be removed now is removed once the upload counts as dead. */
const discard = async ({ records }: ImportParts, context: UploadContext): Promise<void> => {
  const { id, buffer, staging } = context;
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
  settings: ReceiveSettings,
  context: UploadContext,
): Promise<ImportRecord> => {
  const { records, recordsFor, now } = parts;
  const { id, project, signal, counts } = context;
  const { imports_waiting: maxWaiting, rejected_lines: rejectionsKept } = project.limits;
  const { id: projectId, pk } = project;
  const record = { id, projectId, pk, graph: graphIdOf(project), rejectionsKept };
  const ofRequests = await recordsFor(projectId);
  if (!(await ofRequests.create(record, maxWaiting, now().toISOString()))) throw tooManyWaiting(maxWaiting);
  const stopSupervising = superviseUpload(parts, context, settings);
  try {
    await stageText(parts, context, settings);
    if (signal.aborted) throw shuttingDown();
    const queued = await records.queue(id, counts);
    if (queued === undefined) throw cancelled();
    return queued;
  } catch (error) {
    await discard(parts, context);
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
  const receiveSettings = { ...settings, turn: openLoopTurns() };
  return async (projectId, upload, request) => {
    const project = await activeProject(parts.projects, projectId);
    const release = slots.take(project);
    try {
      return await receive(parts, receiveSettings, openUploadContext(parts, project, upload, request));
    } finally {
      release();
    }
  };
};

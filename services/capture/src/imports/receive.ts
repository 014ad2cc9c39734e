import { type Gid, newGid, Problem } from "@ikg/contracts";
import { importChunkLabel, importRejectionLabel } from "@ikg/physical";
import { activeProject, type Project } from "../projects.ts";
import type { Request } from "../transaction.ts";
import { type ImportParts, stagingOf } from "./imports.ts";
import { openIntakeBuffer } from "./intake-buffer.ts";
import { readLine } from "./line.ts";
import { splitLines } from "./lines.ts";
import type { ImportRecord } from "./records.ts";
import { type Counting, type NumberedLine, stageLines } from "./stage-lines.ts";
import type { Upload } from "./upload.ts";
import { judgeLength, openUploadSlots, tookTooLong, type UploadSettings } from "./upload-bounds.ts";

/** How often the record says that the intake goes on. */
const heardMs = 20_000;

const cancelled = (): Problem => new Problem("conflict", { errors: ["import: cancelled"] });

const ending = (): Problem => new Problem("unavailable", { headers: { "Retry-After": "5" } });

/**
 * Stages the lines of an import: each is judged, and kept compressed where its project lies, in the order in which rows
 * of one node or relationship came. Nothing is written to the graph, and no more is held than the chunks under way.
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
  const { projects, records, names, now } = parts;
  const slots = openUploadSlots(settings.uploads);

  const receive = async (
    project: Project,
    { text, sentBytes }: Upload,
    { signal }: Request,
  ): Promise<ImportRecord> => {
    const { id: projectId, limits } = project;
    const id = newGid("import");
    const staging = stagingOf(parts, project, id);
    const buffer = openIntakeBuffer(staging);
    const received: Counting = { lines: 0, nodes: 0, relationships: 0, refused: 0 };
    let lines: NumberedLine[] = [];
    const splitter = splitLines((bytes, number) => {
      const line = readLine(bytes);
      if (line !== undefined) lines.push({ number, line });
    });
    const stage = async (): Promise<void> => {
      const staged = lines;
      lines = [];
      received.lines = splitter.lines;
      await stageLines({ project, names, buffer, received }, staged);
      await buffer.ready();
    };
    const bounds = { limit: limits.import_bytes, ratio: settings.ratio };
    const record = { id, projectId, pk: project.pk };
    if (!(await records.create(record, limits.imports_waiting, now().toISOString())))
      throw new Problem("too_many_requests", {
        errors: [
          `imports_waiting: the project has ${limits.imports_waiting} imports that have not ended (limit imports_waiting, ${limits.imports_waiting})`,
        ],
        headers: { "Retry-After": "30" },
      });

    // Cancelled while its lines came: its record stays, and says so.
    let unwanted = false;
    const beat = setInterval(() => {
      records.heard(id, received, now().toISOString()).then(
        (wanted) => {
          if (wanted) return;
          unwanted = true;
          text.destroy(cancelled());
        },
        // The next one may be heard; ten minutes are many of them.
        () => undefined,
      );
    }, heardMs);
    // A caller who left has ended the text by himself; else it is the process that ends.
    const leave = (): void => void setImmediate(() => text.destroy(ending()));
    signal.addEventListener("abort", leave, { once: true });
    const late = setTimeout(() => text.destroy(tookTooLong(settings.longestMs)), settings.longestMs);
    let textBytes = 0;
    try {
      for await (const each of text) {
        const piece = each as Buffer; // no encoding is set
        textBytes += piece.length;
        judgeLength(textBytes, sentBytes(), bounds);
        splitter.push(piece);
        await stage();
      }
      splitter.end();
      await stage();
      if (received.nodes + received.relationships + received.refused === 0)
        throw new Problem("malformed_body", { errors: ["body: at least one line expected"] });
      await buffer.finish();
      if (signal.aborted) throw ending();
      const queued = await records.queue(id, received);
      unwanted = queued === undefined;
      if (queued === undefined) throw cancelled();
      return queued;
    } catch (error) {
      await buffer.settled();
      // What cannot be removed now is when nobody has heard of the intake for ten minutes.
      await staging
        .remove(importChunkLabel)
        .then(() => staging.remove(importRejectionLabel))
        .then(() => (unwanted ? undefined : records.remove(id)))
        .catch(() => undefined);
      throw error;
    } finally {
      clearInterval(beat);
      clearTimeout(late);
      signal.removeEventListener("abort", leave);
    }
  };

  return async (projectId, upload, request) => {
    const project = await activeProject(projects, projectId);
    const release = slots.take(projectId);
    try {
      return await receive(project, upload, request);
    } finally {
      release();
    }
  };
};

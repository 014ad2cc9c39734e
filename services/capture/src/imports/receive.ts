import type { Readable } from "node:stream";
import { type Gid, newGid, Problem } from "@ikg/contracts";
import { importChunkLabel, importRejectionLabel, nodeKey } from "@ikg/physical";
import { activeProject, type Project } from "../projects.ts";
import type { Request } from "../transaction.ts";
import { partitionOf, relationshipBucket } from "./buckets.ts";
import { type ImportParts, stagingOf } from "./imports.ts";
import { openIntakeBuffer, type IntakeBuffer } from "./intake-buffer.ts";
import { readLine } from "./line.ts";
import { splitLines } from "./lines.ts";
import type { ImportRecord, Received } from "./records.ts";
import { nodeText, relationshipText } from "./rows.ts";

/** How often the record says that the intake goes on. */
const heardMs = 20_000;

const cancelled = (): Problem => new Problem("conflict", { errors: ["import: cancelled"] });

const ending = (): Problem => new Problem("unavailable", { headers: { "Retry-After": "5" } });

/** Counts of an intake under way. */
type Counting = { -readonly [name in keyof Received]: Received[name] };

/** Takes one line after the other into the buffer. */
const takeLine =
  ({ pk }: Project, buffer: IntakeBuffer, received: Counting) =>
  (bytes: Buffer | undefined, number: number): void => {
    received.lines = number;
    const line = readLine(bytes);
    if (line === undefined) return;
    if ("errors" in line) {
      received.refused += 1;
      buffer.reject({ line: number, errors: line.errors });
      return;
    }
    const partition = ({ type, external_id: id }: { type: string; external_id: string }): number =>
      partitionOf(nodeKey(pk, type, id));
    if ("node" in line) {
      received.nodes += 1;
      buffer.add(partition(line.node), nodeText(number, line.node));
      return;
    }
    const { source, target } = line.relationship;
    received.relationships += 1;
    buffer.add(
      relationshipBucket(partition(source), partition(target)),
      relationshipText(number, line.relationship),
    );
  };

/**
 * Stages the lines of an import: each is judged, and kept compressed where its project lies, in the order in which rows
 * of one node or relationship came. Nothing is written to the graph, and no more is held than the chunks under way.
 *
 * @param text the lines; its failure counts as that of the import.
 * @returns the record of an import that waits for a worker.
 * @throws Problem `not_found` (404) without an active graph, `malformed_body` (400) without a line, `conflict` (409)
 *   when it is cancelled meanwhile, and what `text` and the graph throw: nothing is staged then.
 */
export const receiveImport =
  (parts: ImportParts) =>
  async (projectId: Gid, text: Readable, { signal }: Request): Promise<ImportRecord> => {
    const { projects, records, now } = parts;
    const project = await activeProject(projects, projectId);
    const id = newGid("import");
    const staging = stagingOf(parts, project, id);
    const buffer = openIntakeBuffer(staging);
    const received: Counting = { lines: 0, nodes: 0, relationships: 0, refused: 0 };
    const splitter = splitLines(takeLine(project, buffer, received));
    await records.create({ id, projectId, pk: project.pk }, now().toISOString());

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
    try {
      for await (const piece of text) {
        splitter.push(piece as Buffer); // no encoding is set
        await buffer.ready();
      }
      splitter.end();
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
      signal.removeEventListener("abort", leave);
    }
  };

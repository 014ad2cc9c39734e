import type { Names } from "@ikg/graph-names";
import { nodeKey } from "@ikg/physical";
import { nodeNames, relationshipNames } from "../batches/names.ts";
import type { Project } from "../projects/projects.ts";
import { partitionOf, relationshipBucket } from "./buckets.ts";
import type { UploadBuffer } from "./upload-buffer.ts";
import type { Line } from "./line.ts";
import type { UploadCounts } from "./records.ts";
import { nodeText, relationshipText } from "./staged-rows.ts";

/** Counts of an upload in progress. */
export type MutableUploadCounts = { -readonly [name in keyof UploadCounts]: UploadCounts[name] };

/** A line that is not blank, with its number. */
export interface NumberedLine {
  readonly number: number;
  readonly line: NonNullable<Line>;
}

const visitOf = (line: NonNullable<Line>) => {
  if ("node" in line) return { place: "node", visit: nodeNames(line.node) };
  if ("relationship" in line) return { place: "relationship", visit: relationshipNames(line.relationship) };
  return { place: "line", visit: () => undefined };
};

/**
 * Puts lines into the buffer in their order, and reserves their names. A line whose names exceed a limit is
 * rejected by itself.
 *
 * @throws as `Names.reserveEach`.
 */
export const stageLines = async (
  {
    project,
    names,
    buffer,
    counts,
  }: {
    readonly project: Project;
    readonly names: Pick<Names, "reserveEach">;
    readonly buffer: UploadBuffer;
    readonly counts: MutableUploadCounts;
  },
  lines: readonly NumberedLine[],
): Promise<void> => {
  const refusals = await names.reserveEach(
    project,
    lines.map(({ line }) => visitOf(line)),
  );
  const partition = ({ type, external_id: id }: { type: string; external_id: string }): number =>
    partitionOf(nodeKey(project.pk, type, id));
  lines.forEach(({ number, line }, at) => {
    const nameErrors = refusals[at] ?? [];
    const errors = "errors" in line ? line.errors : nameErrors;
    if (errors.length > 0 || "errors" in line) {
      counts.rejectedAtUpload += 1;
      buffer.reject({ line: number, errors });
      return;
    }
    if ("node" in line) {
      counts.nodes += 1;
      buffer.add(partition(line.node), nodeText(number, line.node));
      return;
    }
    const { source, target } = line.relationship;
    counts.relationships += 1;
    buffer.add(
      relationshipBucket(partition(source), partition(target)),
      relationshipText(number, line.relationship),
    );
  });
};

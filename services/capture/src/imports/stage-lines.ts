import type { Names } from "@ikg/names";
import { nodeKey } from "@ikg/physical";
import { nodeNames, relationshipNames } from "../names.ts";
import type { Project } from "../projects.ts";
import { partitionOf, relationshipBucket } from "./buckets.ts";
import type { IntakeBuffer } from "./intake-buffer.ts";
import type { Line } from "./line.ts";
import type { Received } from "./records.ts";
import { nodeText, relationshipText } from "./rows.ts";

/** Counts of an intake under way. */
export type Counting = { -readonly [name in keyof Received]: Received[name] };

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
    received,
  }: {
    readonly project: Project;
    readonly names: Pick<Names, "reserveEach">;
    readonly buffer: IntakeBuffer;
    readonly received: Counting;
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
    const refused = refusals[at] ?? [];
    const errors = "errors" in line ? line.errors : refused;
    if (errors.length > 0 || "errors" in line) {
      received.refused += 1;
      buffer.reject({ line: number, errors });
      return;
    }
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
  });
};

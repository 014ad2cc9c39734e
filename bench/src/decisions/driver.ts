/** The baseline: the same question as a query written by hand, sent by the raw driver. */
import type { Driver } from "neo4j-driver";
import type { Ask } from "../../../stack/src/measurement/measure.ts";
import { read } from "../raw-driver.ts";
import { nodeKey } from "../drive/write-graph.ts";
import type { Question } from "./data.ts";

/** A statement written with knowledge of the labels and keys of the graph; both ends found by their unique key. */
export const handWritten = (pk: string): string =>
  [
    "RETURN EXISTS {",
    `  MATCH (subject:Person__${pk}&_Node {_key: $subject})-[:OWNS]->(resource:Document__${pk}&_Node {_key: $resource})`,
    "  WHERE resource.level <= subject.clearance",
    "} AS granted",
  ].join("\n");

/** Auto-commit in READ mode with the database named: one round trip. */
export const askDriver = (driver: Driver, pk: string): Ask<Question> => {
  const text = handWritten(pk);
  return async ({ person, document }) => {
    const params = { subject: nodeKey(pk, "Person", person), resource: nodeKey(pk, "Document", document) };
    const [row] = await read<{ granted: boolean }>(driver, text, params);
    return row?.granted === true;
  };
};

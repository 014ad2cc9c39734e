import type { LoadedConfiguration } from "./snapshot.ts";
import type { StoredRow } from "./stored.ts";

/** Bytes of a project without records. */
const projectBytes = 20_000;
/**
 * Bytes of a policy or query and of each character of its text, once it is compiled: measured, 10,000 for a short text, 5 for a
 * character of a long one besides the text itself.
 */
const compiledBytes = 10_000;
const compiledBytesPerCharacter = 8;
const resolverBytes = 1_000;
const resolverBytesPerCharacter = 2;

const charactersOf = ({ text = "", data }: StoredRow): number => text.length + JSON.stringify(data).length;

/** The memory that a project takes when everything of it is used, as an estimate. */
export const weightOf = ({ policies, queries, resolvers }: LoadedConfiguration): number => {
  let bytes = projectBytes;
  for (const states of [policies, queries])
    for (const { row } of states.values())
      bytes += compiledBytes + compiledBytesPerCharacter * charactersOf(row);
  for (const { row } of resolvers.values())
    bytes += resolverBytes + resolverBytesPerCharacter * charactersOf(row);
  return bytes;
};

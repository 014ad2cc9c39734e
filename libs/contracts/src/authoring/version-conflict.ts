import type { ChangeSetEntry } from "./changes.ts";

const kinds = { "authorization-policies": "authorization policy", "knowledge-queries": "knowledge query" };

/** The record of a change in words: `authorization policy may-lend`. */
export const wordsOf = ({ collection, name }: Pick<ChangeSetEntry, "collection" | "name">): string =>
  `${kinds[collection]} ${name}`;

/** @param index of the change in its set. @returns its place, as details of errors begin. */
export const versionPlace = (index: number): string => `changes[${index}].if_version`;

/**
 * What is wrong with the version that a change expects of its record.
 *
 * @param version of the record now; undefined when it does not exist.
 * @returns undefined when the change expects none, or that one.
 */
export const versionConflict = (
  change: ChangeSetEntry,
  index: number,
  version: number | undefined,
): string | undefined => {
  const { if_version: expected } = change;
  if (expected === undefined || expected === (version ?? 0)) return undefined;
  const what = `${versionPlace(index)}: ${wordsOf(change)}`;
  return version === undefined
    ? `${what} does not exist (version 0), ${expected} expected`
    : `${what} has version ${version}, ${expected} expected`;
};

import { isDeepStrictEqual } from "node:util";
import type { ChangeableCollection } from "@ikg/contracts";
import { comparedText } from "./language-value.ts";
import {
  type Fields,
  folders,
  type Named,
  type OtherCollection,
  otherCollections,
  type ProjectFiles,
} from "./project-files.ts";

/** A change of a record; `before` is absent for a creation and `after` for a deletion. */
export interface Difference<Collection extends string = string> {
  readonly collection: Collection;
  readonly name: string;
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
}

export interface Differences {
  readonly texts: readonly Difference<ChangeableCollection>[];
  readonly others: readonly Difference<OtherCollection>[];
}

export interface DifferenceOptions {
  /** Whether records without a file are deleted. */
  readonly prune: boolean;
  /** Names of secret fields of a record, which reads do not return and which are not compared. */
  readonly secretsOf: (collection: string, name: string) => readonly string[];
}

const between = <Collection extends string>(
  collection: Collection,
  today: Named,
  files: Named,
  {
    prune,
    isSame,
  }: { readonly prune: boolean; readonly isSame: (before: Fields, after: Fields, name: string) => boolean },
): readonly Difference<Collection>[] => {
  const written = [...files].flatMap(([name, after]) => {
    const before = today.get(name);
    return before !== undefined && isSame(before, after, name) ? [] : [{ collection, name, before, after }];
  });
  const without = prune ? [...today].filter(([name]) => !files.has(name)) : [];
  return [...written, ...without.map(([name, before]) => ({ collection, name, before, after: undefined }))];
};

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Uses the name of the current project, regardless of the name in the file. */
const renamed = (files: Named, today: Named): Named => {
  const [name] = today.keys();
  const [fields] = files.values();
  return name === undefined || fields === undefined ? new Map() : new Map([[name, fields]]);
};

/** Computes the changes that make a project equal to its files. */
export const differences = (
  today: ProjectFiles,
  files: ProjectFiles,
  { prune, secretsOf }: DifferenceOptions,
): Differences => ({
  texts: (Object.keys(folders) as ChangeableCollection[]).flatMap((collection) => {
    const { text } = folders[collection];
    const isSame = (before: Fields, after: Fields): boolean =>
      isDeepStrictEqual(without(before, [text]), without(after, [text])) &&
      comparedText(before[text]) === comparedText(after[text]);
    return between(collection, today.texts[collection], files.texts[collection], { prune, isSame });
  }),
  others: otherCollections.flatMap((collection) => {
    const isProject = collection === "projects";
    const named = isProject
      ? renamed(files.others[collection], today.others[collection])
      : files.others[collection];
    const isSame = (before: Fields, after: Fields, name: string): boolean => {
      const hidden = secretsOf(collection, name);
      return isDeepStrictEqual(without(before, hidden), without(after, hidden));
    };
    return between(collection, today.others[collection], named, { prune: prune && !isProject, isSame });
  }),
});

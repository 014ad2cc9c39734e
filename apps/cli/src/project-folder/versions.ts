import type { IkgAdmin } from "@ikg/client";

/** What a record is: its version, and the ETag of its state where a read said it. */
export interface RecordVersion {
  readonly version: number;
  readonly etag?: string;
}

/** By `collection/name`; null: it is not known. A record that is absent does not exist. */
export type Versions = ReadonlyMap<string, RecordVersion | null>;

/** A record by its collection and name. */
export interface RecordName {
  readonly collection: string;
  readonly name: string;
}

export const recordKey = ({ collection, name }: RecordName): string => `${collection}/${name}`;

/** The version that `if_version` takes: 0 where there is no record; undefined where it is not known. */
export const versionIn = (versions: Versions | undefined, record: RecordName): number | undefined => {
  const found = versions?.get(recordKey(record));
  return versions === undefined || found === null ? undefined : (found?.version ?? 0);
};

/** @returns undefined for a suite of an older release, which does not say them. */
export const versionsOf = (exported: Awaited<ReturnType<IkgAdmin["export"]>>): Versions | undefined => {
  const { versions }: Partial<typeof exported> = exported;
  return versions && new Map(versions.map((each) => [recordKey(each), each]));
};

/** What records are after a command wrote some of them, of which it adds what they are now. */
export type WrittenVersions = Map<string, RecordVersion | null>;

/** A record that is not what it was. */
export interface Conflict extends RecordName {
  /** 0: it did not exist. */
  readonly expected: number;
  /** 0: it does not exist. */
  readonly found: number;
}

/** Which of these records are not what they were; those of which that is not known are not among them. */
export const conflictsIn = (
  records: readonly RecordName[],
  before: Versions,
  now: Versions,
): readonly Conflict[] =>
  records.flatMap(({ collection, name }) => {
    const record = { collection, name };
    const [expected, found] = [versionIn(before, record), versionIn(now, record)];
    if (expected === undefined || found === undefined) return [];
    const [was, is] = [before, now].map((versions) => versions.get(recordKey(record))?.etag);
    // A record that was deleted and made anew may have the same version.
    const isSame = expected === found && (was === undefined || is === undefined || was === is);
    return isSame ? [] : [{ ...record, expected, found }];
  });

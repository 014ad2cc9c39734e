import type { IkgAdmin } from "@ikg/client";

/** The version of a record, and the ETag of its state if a read returned it. */
export interface RecordVersion {
  readonly version: number;
  readonly etag?: string;
}

/** Versions by `collection/name`; null: unknown. Missing records do not exist. */
export type Versions = ReadonlyMap<string, RecordVersion | null>;

/** A record by its collection and name. */
export interface RecordName {
  readonly collection: string;
  readonly name: string;
}

export const recordKey = ({ collection, name }: RecordName): string => `${collection}/${name}`;

/** The value of `if_version`: 0 for a missing record; undefined if the version is unknown. */
export const versionIn = (versions: Versions | undefined, record: RecordName): number | undefined => {
  const found = versions?.get(recordKey(record));
  return versions === undefined || found === null ? undefined : (found?.version ?? 0);
};

/** @returns undefined for a suite of an older release, which does not report versions. */
export const versionsOf = (exported: Awaited<ReturnType<IkgAdmin["export"]>>): Versions | undefined => {
  const { versions }: Partial<typeof exported> = exported;
  return versions && new Map(versions.map((each) => [recordKey(each), each]));
};

/** New versions of the records that a command has written. */
export type WrittenVersions = Map<string, RecordVersion | null>;

/** A record with an unexpected version. */
export interface Conflict extends RecordName {
  /** 0: it did not exist. */
  readonly expected: number;
  /** 0: it does not exist. */
  readonly found: number;
}

/** The records with an unexpected version; records of unknown version are omitted. */
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
    // A record that was deleted and created again may have the same version.
    const isSame = expected === found && (was === undefined || is === undefined || was === is);
    return isSame ? [] : [{ ...record, expected, found }];
  });

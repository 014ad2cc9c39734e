import type { LanguageCollection, WithEtag } from "@ikg/client";

interface SavedFields<New, Update> {
  /** All of them, of a new record. */
  readonly created: New;
  /** Those that an update may state. */
  readonly updated: Update;
}

/** A record after a write. */
export interface WriteResult<Row> {
  readonly record: Row;
  /** The record with its ETag; undefined where it could not be read after the write. */
  readonly state: WithEtag<Row> | undefined;
}

/**
 * Writes a record, only over the state that the draft is based on.
 *
 * @param base undefined for a new record.
 * @throws IkgError where it is not written, with the code `precondition_failed` where it is in another state.
 */
export const writeRecord = async <
  Row extends { readonly id: string },
  New extends object,
  Update extends object,
>(
  collection: LanguageCollection<Row, New, Update>,
  base: WithEtag<Row> | undefined,
  { created, updated }: SavedFields<New, Update>,
): Promise<WriteResult<Row>> => {
  const record =
    base === undefined
      ? await collection.create(created)
      : await collection.update(base.record.id, () => updated, { ifMatch: base.etag });
  // A failure of this read does not undo the write.
  const state = await collection.read(record.id).catch(() => undefined);
  return { record, state };
};

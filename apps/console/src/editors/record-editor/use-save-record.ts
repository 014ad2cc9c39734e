import { IkgError, type LanguageCollection, type WithEtag } from "@ikg/client";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";

/** Another author has changed the record since it was read. */
export const isConflict = (error: unknown): boolean =>
  error instanceof IkgError && error.code === "precondition_failed";

export type RecordSaving = Pick<
  UseMutationResult<unknown, unknown, void>,
  "mutate" | "isPending" | "isError" | "error"
>;

interface SavedFields<New, Update> {
  /** All of them, of a new record. */
  readonly created: New;
  /** Those that an update may state. */
  readonly updated: Update;
}

/**
 * Writes a record, only over the state that the draft is based on.
 *
 * @param base undefined for a new record.
 * @returns the record as it is then.
 * @throws IkgError, `isConflict` where it is in another state.
 */
export const writeRecord = async <
  Row extends { readonly id: string },
  New extends object,
  Update extends object,
>(
  collection: LanguageCollection<Row, New, Update>,
  base: WithEtag<Row> | undefined,
  { created, updated }: SavedFields<New, Update>,
): Promise<WithEtag<Row>> => {
  const { id } =
    base === undefined
      ? await collection.create(created)
      : await collection.update(base.record.id, () => updated, { ifMatch: base.etag });
  return collection.read(id);
};

interface SaveOptions<Row> {
  readonly write: () => Promise<WithEtag<Row>>;
  readonly settle: (read: WithEtag<Row>) => void;
  /** Reads again what shows the records. */
  readonly changed: () => Promise<void>;
  readonly onSaved: (record: Row) => void;
  readonly onConflict: () => void;
}

/** Saves a draft. */
export const useSaveRecord = <Row>({
  write,
  settle,
  changed,
  onSaved,
  onConflict,
}: SaveOptions<Row>): RecordSaving =>
  useMutation({
    mutationFn: write,
    onSuccess: (read) => {
      settle(read);
      onSaved(read.record);
      void changed();
    },
    onError: async (error) => {
      if (!isConflict(error)) return;
      await changed();
      onConflict();
    },
  });

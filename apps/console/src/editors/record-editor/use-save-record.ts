import { IkgError, type WithEtag } from "@ikg/client";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import type { WriteResult } from "./write-record.ts";

/** Another author has changed the record since it was read. */
export const isConflict = (error: unknown): boolean =>
  error instanceof IkgError && error.code === "precondition_failed";

export type RecordSaving = Pick<
  UseMutationResult<unknown, unknown, void>,
  "mutate" | "isPending" | "isError" | "error"
>;

interface SaveOptions<Row> {
  readonly write: () => Promise<WriteResult<Row>>;
  readonly editing: {
    readonly settle: (state: WithEtag<Row>) => void;
    readonly discard: () => void;
  };
  /** Refetches the queries that show the records. */
  readonly refresh: () => Promise<void>;
  readonly onSaved: (record: Row) => void;
  readonly onConflict: () => void;
}

/** Saves a draft. Where the new state cannot be read, it is saved nevertheless, and the page reads the record again. */
export const useSaveRecord = <Row>({
  write,
  editing,
  refresh,
  onSaved,
  onConflict,
}: SaveOptions<Row>): RecordSaving =>
  useMutation({
    mutationFn: write,
    onSuccess: ({ record, state }) => {
      if (state === undefined) editing.discard();
      else editing.settle(state);
      onSaved(record);
      void refresh();
    },
    onError: async (error) => {
      if (!isConflict(error)) return;
      await refresh();
      onConflict();
    },
  });

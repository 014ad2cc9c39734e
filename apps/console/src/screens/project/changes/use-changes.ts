import {
  type AppliedChanges,
  type ChangeRecord,
  type ChangeRecordWithTexts,
  type CursorPage,
  IkgError,
} from "@ikg/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ifFound } from "../../../session/if-found.ts";
import { useAdmin } from "../../../session/use-admin.ts";

type Page = CursorPage<ChangeRecord>;

/** Change records, newest first, page by page. */
export const useChanges = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useInfiniteQuery({
    queryKey: ["changes", projectId],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }: Page) => cursor,
    queryFn: async ({ pageParam: cursor, signal }): Promise<Page> => {
      const { value } = await admin.changes.list({ cursor, pageSize: 50, signal }).pages().next();
      return value ?? { items: [], cursor: undefined };
    },
  });
};

/** One change with each record before and after; null where there is none. */
export const useChange = (projectId: string, id: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["change", projectId, id],
    queryFn: async ({ signal }): Promise<ChangeRecordWithTexts | null> =>
      (await ifFound(admin.changes.get(id, { signal }))) ?? null,
  });
};

interface Revert {
  readonly message: string;
  readonly force: boolean;
}

/** Undoes a change by another one. */
export const useRevert = (projectId: string, id: string, onReverted: (applied: AppliedChanges) => void) => {
  const admin = useAdmin(projectId);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ message, force }: Revert) =>
      admin.changes.revert(id, { force, ...(message.trim() !== "" && { message: message.trim() }) }),
    onSuccess: async (applied) => {
      onReverted(applied);
      // Whatever shows policies, queries or their changes.
      await client.invalidateQueries();
    },
  });
};

const place = /^changes\[\d+\]\.if_version: /;

/** What later changes a revert would overwrite, where it was refused for them; empty for any other error. */
export const changedSince = (error: unknown): readonly string[] =>
  error instanceof IkgError && error.code === "conflict"
    ? error.errors.filter((each) => place.test(each)).map((each) => each.replace(place, ""))
    : [];

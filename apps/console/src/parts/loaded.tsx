import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSession } from "../session/use-session.ts";
import { ErrorNote } from "./error-note.tsx";
import { Instant } from "./instant.tsx";
import { Loading } from "./loading.tsx";
import { Note } from "./note.tsx";

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "dataUpdatedAt"> & {
    readonly refetch: () => unknown;
  };
  /** As "the policies". */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/**
 * What a query has read, or that it is being read, or why it could not be. What was read before stays when reading it again fails, and
 * is marked as such.
 */
export const Loaded = <Data,>({ query, what, children }: LoadedProps<Data>) => {
  const isExpired = useSession().status === "expired";
  const { data, error, dataUpdatedAt, refetch } = query;
  if (data === undefined) {
    if (error === null) return <Loading what={what} />;
    return <ErrorNote error={error} title={`Could not read ${what}`} onRetry={refetch} />;
  }
  return (
    <>
      {error !== null && !isExpired && (
        <Note tone="warn">
          <p>
            This is from <Instant at={new Date(dataUpdatedAt).toISOString()} />; {what} could not be read
            again.
          </p>
          <button type="button" className="button small" onClick={() => void refetch()}>
            Try again
          </button>
        </Note>
      )}
      {children(data)}
    </>
  );
};

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSession } from "../session/use-session.ts";
import { ErrorNote } from "../components/error-note.tsx";
import { Instant } from "../components/instant.tsx";
import { Loading } from "../components/loading.tsx";
import { Note } from "../components/note.tsx";

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "dataUpdatedAt"> & {
    readonly refetch: () => unknown;
  };
  /** As "the policies". */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/**
 * The data of a query, that it is loading, or why it could not be loaded. When a refresh fails, the previous data stays and is marked as such.
 */
export const Loaded = <Data,>({ query, what, children }: LoadedProps<Data>) => {
  const isExpired = useSession().status === "expired";
  const { data, error, dataUpdatedAt, refetch } = query;
  if (data === undefined) {
    if (error === null) return <Loading what={what} />;
    return <ErrorNote error={error} title={`Could not load ${what}`} onRetry={refetch} />;
  }
  return (
    <>
      {error !== null && !isExpired && (
        <Note tone="warn">
          <p>
            Data from <Instant at={new Date(dataUpdatedAt).toISOString()} /> is shown; {what} could not be
            refreshed.
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

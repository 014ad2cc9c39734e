import type { UseQueryResult } from "@tanstack/react-query";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Instant } from "../../../components/instant.tsx";
import { countText } from "../../../text/count-text.ts";
import type { Grants } from "./count-grants.ts";

interface GrantsBarProps {
  readonly query: UseQueryResult<Grants>;
}

/** Counts grants when it is asked to: that reads the audit trail of an hour. */
export const GrantsBar = ({ query }: GrantsBarProps) => {
  const { data, error, isFetching, refetch } = query;
  return (
    <>
      <div className="row grants-bar">
        <button type="button" className="button small" disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? "Counting…" : data === undefined ? "Count grants of the last hour" : "Count again"}
        </button>
        <span className="hint" role="status">
          {data === undefined ? (
            "Reads the audit trail; nothing else counts grants by policy."
          ) : (
            <>
              {countText(data.decisions, "decision")} since <Instant at={data.since.toISOString()} />
              {!data.isComplete && "; there were more, so the numbers are minimums"}
            </>
          )}
        </span>
      </div>
      {error !== null && <ErrorNote error={error} title="Grants could not be counted" />}
    </>
  );
};

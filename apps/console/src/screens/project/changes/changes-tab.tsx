import type { ChangeRecord } from "@ikg/client";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { Author } from "../author.tsx";
import { kindOf, transitionText } from "./readable-content.ts";
import { useChanges } from "./use-changes.ts";

const shownTransitions = 3;

const What = ({ record: { id, changes, reverts } }: { readonly record: ChangeRecord }) => (
  <span className="record-name">
    <Link to="/project/$tab/$record" params={{ tab: "changes", record: id }}>
      {changes.slice(0, shownTransitions).map((each) => (
        <span className="transition" key={each.id}>
          {kindOf(each)} <PlainText text={each.name} limit={80} /> {transitionText(each)}
        </span>
      ))}
      {changes.length > shownTransitions && (
        <span className="transition">and {changes.length - shownTransitions} more</span>
      )}
      {changes.length === 0 && <span className="transition">records that no longer exist</span>}
    </Link>
    {reverts !== undefined && <span className="tag revert-tag">reverts a change</span>}
  </span>
);

const columnsOf = (projectId: string): readonly Column<ChangeRecord>[] => [
  {
    id: "when",
    header: "When",
    cell: ({ create_time: at }) => <Instant at={at} />,
  },
  {
    id: "what",
    header: "What",
    look: "wide",
    cell: (record) => <What record={record} />,
  },
  {
    id: "why",
    header: "Why",
    cell: ({ message }) =>
      message === undefined ? null : (
        <span className="why">
          <PlainText text={message} limit={120} />
        </span>
      ),
  },
  {
    id: "who",
    header: "Who",
    cell: ({ created_by: by }) => <Author projectId={projectId} id={by} />,
  },
];

/** What was changed of policies and queries, and by whom. */
export const ChangesTab = ({ projectId }: { readonly projectId: string }) => {
  const query = useChanges(projectId);
  const columns = useMemo(() => columnsOf(projectId), [projectId]);
  return (
    <div className="stack">
      <p className="hint">
        Changes of policies and queries, newest first; each can be opened and reverted. Changes of other
        records are in the audit trail.
      </p>
      <Loaded query={{ ...query, error: query.isFetchNextPageError ? null : query.error }} what="the changes">
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items);
          return rows.length === 0 ? (
            <Empty title="Nothing was changed yet">
              <p>Each change of a policy or a query is listed here, with who made it and why.</p>
            </Empty>
          ) : (
            <DataTable label="Changes" columns={columns} rows={rows} keyOf={({ id }) => id} />
          );
        }}
      </Loaded>
      {query.isFetchNextPageError && (
        <ErrorNote
          error={query.error}
          title="Could not load older changes"
          onRetry={() => query.fetchNextPage()}
        />
      )}
      {query.hasNextPage && !query.isFetchNextPageError && (
        <button
          type="button"
          className="button start"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? "Loading…" : "Older changes"}
        </button>
      )}
    </div>
  );
};

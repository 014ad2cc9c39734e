import { useMemo, useState } from "react";
import { countText } from "../../../text/count-text.ts";
import { DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { Loading } from "../../../components/loading.tsx";
import { useMay } from "../../../session/use-admin.ts";
import type { DecisionsSearch } from "../decisions-search.ts";
import { DecisionsScreen } from "../decisions-screen.tsx";
import { ReplayBar } from "../replay/replay-bar.tsx";
import type { ReplayState } from "../replay/replay-run.ts";
import { useReplay } from "../replay/use-replay.ts";
import { useDecisionsSearch } from "../use-decisions-search.ts";
import { FilterForm } from "./filter-form.tsx";
import type { Names } from "./names.ts";
import { recordColumns } from "./record-columns.tsx";
import { isReplayable, type RecordRow } from "./record-row.ts";
import { differentRows, hasUnreplayed } from "./replayed-rows.ts";
import { type MatchingRows, useMatchingRows } from "./use-matching-rows.ts";
import { useNames } from "./use-names.ts";

/** What was decided: the audit records of a time. */
export const RecordsScreen = () => {
  const search = useDecisionsSearch();
  const { period, from, to } = search;
  return (
    <DecisionsScreen search={search}>
      {(projectId) => (
        <>
          <FilterForm search={search} />
          <Records key={JSON.stringify([period, from, to])} projectId={projectId} search={search} />
        </>
      )}
    </DecisionsScreen>
  );
};

interface RecordsProps {
  readonly projectId: string;
  readonly search: DecisionsSearch;
}

const Records = ({ projectId, search }: RecordsProps) => {
  const names = useNames(projectId);
  const { query, refresh, matching } = useMatchingRows(projectId, search, names);
  const { isFetchNextPageError, error, fetchNextPage } = query;
  return (
    <Loaded query={{ ...query, error: isFetchNextPageError ? null : error }} what="the audit records">
      {() => (
        <>
          <div className="list-head">
            <ListState matching={matching} />
            <button type="button" className="button small" onClick={() => void refresh()}>
              <Icon name="retry" />
              Refresh
            </button>
          </div>
          <Rows projectId={projectId} search={search} names={names} matching={matching} />
          {isFetchNextPageError && (
            <ErrorNote error={error} title="Could not load earlier records" onRetry={() => fetchNextPage()} />
          )}
          {matching.state === "partial" && matching.rows.length > 0 && (
            <div className="row">
              <SearchEarlier matching={matching} />
            </div>
          )}
        </>
      )}
    </Loaded>
  );
};

const SearchEarlier = ({ matching }: ListStateProps) => (
  <button type="button" className="button" onClick={matching.searchEarlier}>
    Search earlier records
  </button>
);

const stateTexts: Readonly<Record<MatchingRows["state"], string>> = {
  reading: "; searching earlier records…",
  partial: "; earlier records of this period have not been searched yet",
  failed: "; earlier records of this period could not be searched",
  complete: ": all of this period",
};

/** How many match, of how many that were read, and whether that is all. */
const ListState = ({ matching: { rows, read, backTo, state } }: ListStateProps) => (
  <p className="hint" role="status">
    {countText(rows.length, "row")} from {countText(read, "record")}
    {backTo !== undefined && (
      <>
        , back to <Instant at={backTo} />
      </>
    )}
    {read > 0 || state === "reading" ? stateTexts[state] : ""}
  </p>
);

interface ListStateProps {
  readonly matching: MatchingRows;
}

interface RowsProps extends RecordsProps, ListStateProps {
  readonly names: Names;
}

const keyOf = ({ key }: RecordRow): string => key;

const Rows = ({ projectId, search, names, matching }: RowsProps) => {
  const { rows } = matching;
  const mayReplay = useMay()("replay", projectId);
  const replay = useReplay(projectId);
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const results = replay.state?.results;
  const columns = useMemo(() => recordColumns(names, search, results), [names, search, results]);
  const records = useMemo(
    () => [...new Map(rows.map(({ record }) => [record.id, record])).values()].filter(isReplayable),
    [rows],
  );
  const shown = useMemo(
    () => (onlyDifferent ? differentRows(rows, results) : rows),
    [rows, onlyDifferent, results],
  );
  if (rows.length === 0) return <NoRecords matching={matching} />;
  return (
    <>
      {mayReplay && (
        <ReplayBar
          records={records.length}
          state={replay.state}
          onStart={() => replay.start(records)}
          onStop={replay.stop}
          onlyDifferent={onlyDifferent}
          onOnlyDifferent={setOnlyDifferent}
        />
      )}
      {shown.length === 0 ? (
        <NoDifferences state={replay.state} rows={rows} />
      ) : (
        <DataTable label="Audit records" columns={columns} rows={shown} keyOf={keyOf} />
      )}
    </>
  );
};

/** That nothing differs is known of what was replayed. */
const NoDifferences = ({
  state,
  rows,
}: {
  readonly state: ReplayState | undefined;
  readonly rows: readonly RecordRow[];
}) => {
  if (state === undefined) return null;
  if (state.status === "running") return <Loading what="today's decisions" />;
  const isPartial = hasUnreplayed(rows, state.results);
  return (
    <Empty title={isPartial ? "No differences so far" : "No differences"}>
      <p>
        All replayable decisions among the {state.results.size.toLocaleString()} replayed are the same today.
        {isPartial && " The other decisions of the list were not replayed."}
      </p>
    </Empty>
  );
};

/** No row: in all of the time, or in what was searched of it. */
const NoRecords = ({ matching }: ListStateProps) => {
  const { state, read, backTo } = matching;
  if (state === "reading") return null;
  if (state === "partial" || state === "failed")
    return (
      <Empty title="No match so far">
        <p>
          {countText(read, "record")} of this period were searched
          {backTo !== undefined && (
            <>
              , back to <Instant at={backTo} />
            </>
          )}
          . Earlier records were not.
        </p>
        {state === "partial" && <SearchEarlier matching={matching} />}
      </Empty>
    );
  if (read === 0)
    return (
      <Empty title="No records in this period">
        <p>
          Every decision leaves a record. It is listed a few seconds later, when its batch has been signed.
          Choose a longer period, or request a decision in the playground.
        </p>
      </Empty>
    );
  return (
    <Empty title="No record matches">
      <p>
        All records of this period were searched. Every word must occur in its field; case is ignored. Clear a
        field, or choose a longer period.
      </p>
    </Empty>
  );
};

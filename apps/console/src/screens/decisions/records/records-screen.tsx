import { useMemo, useState } from "react";
import { countText } from "../../../parts/count-text.ts";
import { DataTable } from "../../../parts/data-table.tsx";
import { Empty } from "../../../parts/empty.tsx";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { Instant } from "../../../parts/instant.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useMay } from "../../../session/use-admin.ts";
import type { DecisionsSearch } from "../decisions-search.ts";
import { DecisionsScreen } from "../decisions-screen.tsx";
import { ReplayBar } from "../replay/replay-bar.tsx";
import { useReplay } from "../replay/use-replay.ts";
import { differs } from "../replay/verdicts.ts";
import { useDecisionsSearch } from "../use-decisions-search.ts";
import { FilterForm } from "./filter-form.tsx";
import type { Names } from "./names.ts";
import { recordColumns } from "./record-columns.tsx";
import { isReplayable, type RecordRow } from "./record-row.ts";
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
              Read the newest
            </button>
          </div>
          <Rows projectId={projectId} search={search} names={names} matching={matching} />
          {isFetchNextPageError && (
            <ErrorNote
              error={error}
              title="Earlier records could not be read"
              onRetry={() => fetchNextPage()}
            />
          )}
          {matching.canReadOn && (
            <div className="row">
              <button type="button" className="button" onClick={matching.readOn}>
                Look further back
              </button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
};

/** How many match, of how many that were read, and whether there are more. */
const ListState = ({ matching: { rows, read, backTo, canReadOn, isReading } }: ListStateProps) => (
  <p className="hint" role="status">
    {countText(rows.length, "row")} from {countText(read, "record")}
    {backTo !== undefined && (
      <>
        , back to <Instant at={backTo} />
      </>
    )}
    {isReading ? "; reading on…" : canReadOn ? "; there are earlier ones" : ""}
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
  const { rows, isReading, read } = matching;
  const mayReplay = useMay()("replay", projectId);
  const replay = useReplay(projectId);
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const results = replay.state?.results;
  const columns = useMemo(() => recordColumns(names, search, results), [names, search, results]);
  const records = useMemo(
    () => [...new Map(rows.map(({ record }) => [record.id, record])).values()].filter(isReplayable),
    [rows],
  );
  const shown = useMemo(() => {
    if (!onlyDifferent || results === undefined) return rows;
    return rows.filter(({ key }) => {
      const result = results.get(key);
      return result !== undefined && differs(result);
    });
  }, [rows, onlyDifferent, results]);
  if (rows.length === 0) return isReading ? null : <Nothing isEmpty={read === 0} />;
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
        <Empty title="Nothing differs">
          <p>Every decision that could be replayed is today what it was then.</p>
        </Empty>
      ) : (
        <DataTable label="Audit records" columns={columns} rows={shown} keyOf={keyOf} />
      )}
    </>
  );
};

const Nothing = ({ isEmpty }: { readonly isEmpty: boolean }) =>
  isEmpty ? (
    <Empty title="No records in this time">
      <p>
        Every decision leaves a record. It is listed some seconds later, when the batch that it belongs to has
        been signed. Choose a longer time, or ask for a decision in the playground.
      </p>
    </Empty>
  ) : (
    <Empty title="No record matches">
      <p>
        Every word has to be in its field; upper and lower case are the same. Clear a field, or choose a
        longer time.
      </p>
    </Empty>
  );

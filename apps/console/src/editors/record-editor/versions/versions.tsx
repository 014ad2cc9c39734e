import type { RecordVersion, WithEtag } from "@ikg/client";
import { type ReactNode, useState } from "react";
import { Difference } from "../../code/difference.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Loading } from "../../../components/loading.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { useOwnId } from "../../../session/own-id.ts";
import { useVersion, useVersions, type Versioned } from "./use-versions.ts";

interface VersionsProps<Row extends { readonly id: string }> {
  readonly collection: Versioned<Row>;
  readonly current: WithEtag<Row>;
  /** A record in lines, as people compare it. */
  readonly readable: (record: Row) => string;
  readonly mayRollBack: boolean;
  /** The dialog that rolls back to a version. */
  readonly rollbackDialog: (version: number, onEnd: (isRolledBack: boolean) => void) => ReactNode;
}

/** Every version of a policy or query, what differs between two, and the way back. */
export const Versions = <Row extends { readonly id: string }>(props: VersionsProps<Row>) => {
  const { collection, current: read, readable, mayRollBack, rollbackDialog } = props;
  const query = useVersions(collection, read.record.id);
  const [chosen, setChosen] = useState<{ from: number; to: number }>();
  const [rolledBack, setRolledBack] = useState<number>();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchNextPageError, isFetching } = query;
  if (data === undefined)
    return error === null ? (
      <Loading what="the versions" />
    ) : (
      <ErrorNote error={error} title="Could not load the versions" onRetry={() => refetch()} />
    );
  const [current, former] = data;
  const compared = chosen ?? (current && former && { from: former.version, to: current.version });
  return (
    <div className="stack">
      <VersionTable
        versions={data}
        compared={compared}
        onCompare={(from, to) => setChosen({ from, to })}
        onRollBack={mayRollBack ? setRolledBack : undefined}
      />
      {isFetchNextPageError && (
        <ErrorNote error={error} title="Could not load older versions" onRetry={() => fetchNextPage()} />
      )}
      {hasNextPage && !isFetchNextPageError && (
        <button
          type="button"
          className="button small start"
          disabled={isFetching}
          onClick={() => void fetchNextPage()}
        >
          Older versions
        </button>
      )}
      {compared === undefined ? (
        <p className="hint">There is one version: nothing to compare it with yet.</p>
      ) : (
        <Comparison
          collection={collection}
          id={read.record.id}
          readable={readable}
          versions={data}
          compared={compared}
          onCompare={(from, to) => setChosen({ from, to })}
        />
      )}
      {rolledBack !== undefined &&
        rollbackDialog(rolledBack, (isRolledBack) => {
          setRolledBack(undefined);
          if (isRolledBack) setChosen(undefined);
        })}
    </div>
  );
};

interface TableProps {
  readonly versions: readonly RecordVersion[];
  readonly compared: { readonly from: number; readonly to: number } | undefined;
  readonly onCompare: (from: number, to: number) => void;
  readonly onRollBack: ((version: number) => void) | undefined;
}

const VersionTable = ({ versions, compared, onCompare, onRollBack }: TableProps) => {
  const ownId = useOwnId();
  return (
    <div className="table-scroll stacks" role="region" aria-label="Versions" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Saved</th>
            <th scope="col">By</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ version, create_time: at, created_by: by }, index) => {
            const before = versions[index + 1]?.version;
            const isShown = compared?.to === version && compared.from === before;
            return (
              <tr key={version} aria-current={isShown ? "true" : undefined}>
                <td className="version" data-column="Version">
                  <div>
                    {version} {index === 0 && <span className="tag good">current</span>}
                  </div>
                </td>
                <td data-column="Saved">
                  <Instant at={at} />
                </td>
                <td className="wide" data-column="By">
                  {by === ownId ? "you" : <PlainText text={by} limit={48} mono />}
                </td>
                <td data-column="">
                  <span className="row nowrap">
                    {before !== undefined && (
                      <button
                        type="button"
                        className="button small"
                        aria-pressed={isShown}
                        onClick={() => onCompare(before, version)}
                      >
                        What changed
                      </button>
                    )}
                    {onRollBack !== undefined && index > 0 && (
                      <button type="button" className="button small" onClick={() => onRollBack(version)}>
                        Roll back to it
                      </button>
                    )}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};

interface ComparisonProps<Row extends { readonly id: string }> {
  readonly collection: Versioned<Row>;
  readonly readable: (record: Row) => string;
  readonly id: string;
  readonly versions: readonly RecordVersion[];
  readonly compared: { readonly from: number; readonly to: number };
  readonly onCompare: (from: number, to: number) => void;
}

const Comparison = <Row extends { readonly id: string }>(props: ComparisonProps<Row>) => {
  const { collection, readable, id, versions, compared, onCompare } = props;
  const { from, to } = compared;
  const [former, latter] = [useVersion(collection, id, from), useVersion(collection, id, to)];
  const error = former.error ?? latter.error;
  const choices = versions.map(({ version }) => (
    <option key={version} value={version}>
      Version {version}
    </option>
  ));
  return (
    <section className="stack tight" aria-label="Compare two versions">
      <div className="row compare-bar">
        <h2>Compare</h2>
        <select
          aria-label="Former version"
          value={from}
          onChange={(event) => onCompare(Number(event.target.value), to)}
        >
          {choices}
        </select>
        <span aria-hidden="true">→</span>
        <select
          aria-label="Latter version"
          value={to}
          onChange={(event) => onCompare(from, Number(event.target.value))}
        >
          {choices}
        </select>
      </div>
      {error !== null ? (
        <ErrorNote error={error} title="Could not load a version" />
      ) : former.data === undefined || latter.data === undefined ? (
        <Loading what="both versions" />
      ) : (
        <Difference
          formerLabel={`Version ${from}`}
          former={readable(former.data)}
          latterLabel={`Version ${to}`}
          latter={readable(latter.data)}
        />
      )}
    </section>
  );
};

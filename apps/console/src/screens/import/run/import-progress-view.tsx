import { Link } from "@tanstack/react-router";
import type { ImportTotals } from "@ikg/imports/browser";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import type { ImportStatus, ImportView } from "./import-task.ts";
import { ProgressBar } from "./progress-bar.tsx";
import { RejectedTable } from "./rejected-table.tsx";

interface ImportProgressViewProps {
  readonly view: ImportView;
  /** False: it is of files or a mapping that have changed since. */
  readonly isOfWork: boolean;
  readonly canResume: boolean;
  readonly onStop: () => void;
  readonly onResume: () => void;
  readonly onForget: () => void;
  readonly onDownload: () => void;
}

const count = new Intl.NumberFormat();

const counted = (number: number, one: string): string =>
  `${count.format(number)} ${number === 1 ? one : `${one}s`}`;

const doneText = ({ rows, nodes, relationships, rejected }: ImportTotals): string =>
  `${counted(rows, "row")}: ${counted(nodes, "node")} and ${counted(relationships, "relationship")} written, ${counted(rejected, "line")} rejected.`;

const titles: Readonly<Record<ImportStatus, string>> = {
  running: "Importing",
  stopped: "Stopped",
  failed: "Interrupted",
  done: "Imported",
};

/** How far an import is, what became of it, and what to do next. */
export const ImportProgressView = ({
  view,
  isOfWork,
  canResume,
  onStop,
  onResume,
  onForget,
  onDownload,
}: ImportProgressViewProps) => {
  const { status, share, counts, totals, rejected, error } = view;
  const isInterrupted = status === "stopped" || status === "failed";
  return (
    <div className="card stack tight" role="group" aria-label="Progress of the import">
      <div className="row spread">
        <h3>{titles[status]}</h3>
        <div className="row">
          {status === "running" && (
            <button type="button" className="button small" onClick={onStop}>
              Stop
            </button>
          )}
          {isInterrupted && (
            <button type="button" className="button primary small" disabled={!canResume} onClick={onResume}>
              Resume
            </button>
          )}
          {status !== "running" && (
            <button type="button" className="button quiet small" onClick={onForget}>
              {status === "done" ? "Close" : "Give up"}
            </button>
          )}
        </div>
      </div>
      {status !== "done" && <ProgressBar label="Import" share={share} />}
      <p role={status === "running" ? undefined : "status"}>
        {status === "done"
          ? doneText(totals)
          : `${counted(counts.written, "line")} written, ${count.format(counts.rejected)} rejected.`}
      </p>
      {isInterrupted && (
        <p className="hint">
          It continues where it was. What is sent twice results in the same graph; jobs that the suite has
          already go on by themselves.
        </p>
      )}
      {status === "running" && (
        <p className="hint">
          It goes on while you look at another screen, and ends with this tab. Jobs that the suite has by then
          go on, and are listed below whenever you come back.
        </p>
      )}
      {!isOfWork && <p className="hint">This is of the files and the mapping as they were when it began.</p>}
      {error !== undefined && <ErrorNote error={error} title="The import was interrupted" />}
      {status === "done" && totals.nodes > 0 && (
        <p>
          <Link to="/graph">Look at the graph</Link>
        </p>
      )}
      {totals.rejected > 0 && (
        <>
          <div className="row spread">
            <h3>Rejected</h3>
            <button type="button" className="button small" onClick={onDownload}>
              <Icon name="download" />
              Download
            </button>
          </div>
          {totals.notKept > 0 && (
            <p className="hint">Of {count.format(totals.notKept)} the suite does not keep which they are.</p>
          )}
          {totals.rejected - totals.notKept > rejected.length && (
            <p className="hint">The first {count.format(rejected.length)}; the download has all.</p>
          )}
          <RejectedTable label="Rejected lines" lines={rejected} />
        </>
      )}
    </div>
  );
};

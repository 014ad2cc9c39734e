import { Link } from "@tanstack/react-router";
import type { ImportTotals } from "@ikg/imports/browser";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import type { ImportStatus, ImportView } from "./import-task.ts";
import { ProgressBar } from "./progress-bar.tsx";
import { RejectedTable } from "./rejected-table.tsx";

interface ImportProgressViewProps {
  readonly view: ImportView;
  /** False: the files or the mapping have changed since it started. */
  readonly isOfWork: boolean;
  readonly canResume: boolean;
  readonly onStop: () => void;
  readonly onResume: () => void;
  readonly onForget: () => void;
  readonly onDownload: () => void;
}

const count = new Intl.NumberFormat();

const counted = (number: number, noun: string): string =>
  `${count.format(number)} ${number === 1 ? noun : `${noun}s`}`;

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
              {status === "done" ? "Close" : "Discard"}
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
          Resume continues from the last confirmed job. Lines sent twice change nothing further, and submitted
          jobs keep running.
        </p>
      )}
      {status === "running" && (
        <p className="hint">
          The import keeps running on other screens and stops when this tab is closed. Submitted jobs keep
          running and are listed below.
        </p>
      )}
      {!isOfWork && (
        <p className="hint">This import uses the files and the mapping as they were when it started.</p>
      )}
      {error !== undefined && <ErrorNote error={error} title="The import was interrupted" />}
      {status === "done" && totals.nodes > 0 && (
        <p>
          <Link to="/graph">Open the graph</Link>
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
            <p className="hint">
              {counted(totals.notKept, "rejected line")} {totals.notKept === 1 ? "was" : "were"} counted but
              not kept.
            </p>
          )}
          {totals.rejected - totals.notKept > rejected.length && (
            <p className="hint">
              The first {count.format(rejected.length)} are shown; the download has all of them.
            </p>
          )}
          <RejectedTable label="Rejected lines" lines={rejected} />
        </>
      )}
    </div>
  );
};

import { Link } from "@tanstack/react-router";
import type { ImportTotals } from "@ikg/imports/browser";
import { countText } from "../../../text/count-text.ts";
import { ErrorNote } from "../../../components/error-note.tsx";
import type { ImportStatus, ImportView } from "./import-task.ts";
import { ProgressBar } from "./progress-bar.tsx";
import { RejectedLines } from "./rejected-lines.tsx";

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

const doneText = ({ rows, nodes, relationships, rejected }: ImportTotals): string =>
  `${countText(rows, "row")}: ${countText(nodes, "node")} and ${countText(relationships, "relationship")} written, ${countText(rejected, "line")} rejected.`;

const titles: Readonly<Record<ImportStatus, string>> = {
  running: "Importing",
  stopped: "Stopped",
  failed: "Interrupted",
  done: "Imported",
};

const isInterrupted = (status: ImportStatus): boolean => status === "stopped" || status === "failed";

/** How far an import is, what became of it, and what to do next. */
export const ImportProgressView = (props: ImportProgressViewProps) => {
  const { view, isOfWork, onDownload } = props;
  const { status, share, counts, totals, error } = view;
  return (
    <div className="card stack tight" role="group" aria-label="Progress of the import">
      <div className="row spread">
        <h3>{titles[status]}</h3>
        <ImportActions {...props} />
      </div>
      {status !== "done" && <ProgressBar label="Import" share={share} />}
      <p role={status === "running" ? undefined : "status"}>
        {status === "done"
          ? doneText(totals)
          : `${countText(counts.written, "line")} written, ${counts.rejected.toLocaleString()} rejected.`}
      </p>
      {isInterrupted(status) && (
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
      {totals.rejected > 0 && <ImportRejections view={view} onDownload={onDownload} />}
    </div>
  );
};

type ImportActionsProps = Omit<ImportProgressViewProps, "isOfWork" | "onDownload">;

/** What can be done with an import in its state. */
const ImportActions = ({ view: { status }, canResume, onStop, onResume, onForget }: ImportActionsProps) => (
  <div className="row">
    {status === "running" && (
      <button type="button" className="button small" onClick={onStop}>
        Stop
      </button>
    )}
    {isInterrupted(status) && (
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
);

type ImportRejectionsProps = Pick<ImportProgressViewProps, "view" | "onDownload">;

/** The first rejected lines of an import, and which of them are not shown or not kept. */
const ImportRejections = ({ view: { totals, rejected }, onDownload }: ImportRejectionsProps) => (
  <RejectedLines label="Rejected lines" lines={rejected} downloadLabel="Download" onDownload={onDownload}>
    {totals.notKept > 0 && (
      <p className="hint">
        {countText(totals.notKept, "rejected line")} {totals.notKept === 1 ? "was" : "were"} counted but not
        kept.
      </p>
    )}
    {totals.rejected - totals.notKept > rejected.length && (
      <p className="hint">
        The first {rejected.length.toLocaleString()} are shown; the download has all of them.
      </p>
    )}
  </RejectedLines>
);

import { useState } from "react";
import { download, downloadFile } from "../../../parts/download.ts";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { ApplicationKeyPanel } from "../../../session/application-key-panel.tsx";
import { importPurpose } from "../../../session/key-purpose.ts";
import { identityOf } from "../preview/use-preview.ts";
import type { ImportWork } from "../work/import-work.ts";
import { DryRunResult } from "./dry-run-result.tsx";
import { ImportProgressView } from "./import-progress-view.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import { useDryRun } from "./use-dry-run.ts";
import { useImport } from "./use-import.ts";

interface RunPanelProps {
  readonly projectId: string;
  readonly work: ImportWork;
  /** False while the first rows do not show that the mapping fits. */
  readonly isReady: boolean;
}

/** Tries the whole files, and writes them. */
export const RunPanel = ({ projectId, work, isReady }: RunPanelProps) => {
  const dryRun = useDryRun(work);
  const running = useImport(projectId, work);
  const [fault, setFault] = useState<unknown>();
  const isRunning = running.isStarting || running.view?.status === "running";
  const { state } = dryRun;
  const start = (): void => {
    setFault(undefined);
    running.start().catch(setFault);
  };
  return (
    <section className="stack" aria-label="Import">
      <h2>Import</h2>
      <ApplicationKeyPanel projectId={projectId} purpose={importPurpose} />
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={!isReady || state?.status === "running" || isRunning}
          onClick={() => void dryRun.start()}
        >
          Dry run
        </button>
        <button
          type="button"
          className="button primary"
          disabled={!isReady || !running.hasKey || isRunning}
          onClick={start}
        >
          <Icon name="import" />
          Import into the graph
        </button>
        <span className="hint">
          {!running.hasKey && isReady && "The import needs an application key: see above. "}A dry run reads
          every row and sends nothing.
        </span>
      </div>
      {fault !== undefined && <ErrorNote error={fault} title="Not imported" />}
      {state?.status === "running" && (
        <div className="row">
          <ProgressBar label="Dry run" share={state.share} />
          <button type="button" className="button small" onClick={dryRun.stop}>
            Stop
          </button>
        </div>
      )}
      {state?.status === "failed" && (
        <ErrorNote error={state.error} title="The dry run could not read every row" />
      )}
      {state?.status === "done" && (
        <DryRunResult
          result={state.result}
          isCurrent={state.identity === identityOf(work)}
          onDownload={() =>
            download(
              "rejected.ndjson",
              state.result.faults.map((each) => `${JSON.stringify(each)}\n`).join(""),
              "application/x-ndjson",
            )
          }
        />
      )}
      {running.view !== undefined && (
        <ImportProgressView
          view={running.view}
          isOfWork={running.isOfWork}
          canResume={running.hasKey}
          onStop={running.stop}
          onResume={running.resume}
          onForget={running.forget}
          onDownload={() => downloadFile("rejected.ndjson", running.rejectedText())}
        />
      )}
    </section>
  );
};

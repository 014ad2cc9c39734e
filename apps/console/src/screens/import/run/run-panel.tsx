import { useState } from "react";
import { downloadFile } from "../../../snippets/download.ts";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Icon } from "../../../components/icon.tsx";
import { ApplicationKeyPanel } from "../../../session/application-key-panel.tsx";
import { importPurpose } from "../../../session/key-purpose.ts";
import type { ImportWork } from "../work/import-work.ts";
import { DryRunView } from "./dry-run-view.tsx";
import { ImportProgressView } from "./import-progress-view.tsx";
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
          disabled={!isReady || dryRun.state?.status === "running" || isRunning}
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
      <DryRunView dryRun={dryRun} work={work} />
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

import { download } from "../../../snippets/download.ts";
import { ErrorNote } from "../../../components/error-note.tsx";
import { identityOf } from "../preview/use-preview.ts";
import type { ImportWork } from "../work/import-work.ts";
import { DryRunResult } from "./dry-run-result.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import type { DryRunner } from "./use-dry-run.ts";

interface DryRunViewProps {
  readonly dryRun: DryRunner;
  readonly work: ImportWork;
}

/** How far a dry run is, and what came of it. */
export const DryRunView = ({ dryRun: { state, stop }, work }: DryRunViewProps) => {
  if (state === undefined) return null;
  if (state.status === "running")
    return (
      <div className="row">
        <ProgressBar label="Dry run" share={state.share} />
        <button type="button" className="button small" onClick={stop}>
          Stop
        </button>
      </div>
    );
  if (state.status === "failed")
    return <ErrorNote error={state.error} title="The dry run could not read every row" />;
  const { result, identity } = state;
  const downloadFaults = (): void => {
    const lines = result.faults.map((each) => `${JSON.stringify(each)}\n`);
    download("rejected.ndjson", lines.join(""), "application/x-ndjson");
  };
  return (
    <DryRunResult result={result} isCurrent={identity === identityOf(work)} onDownload={downloadFaults} />
  );
};

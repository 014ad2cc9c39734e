import type { ChainVerification } from "@ikg/audit/verification";
import { countText } from "../../../text/count-text.ts";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { BrokenChain } from "./broken-chain.tsx";
import { isOldestMissing } from "./explain-check.ts";
import { missingFiles } from "./file-lines.ts";
import type { Verification } from "./run-verification.ts";
import type { VerificationRun } from "./use-verification.ts";

interface VerificationResultProps {
  readonly projectId: string;
  readonly run: VerificationRun;
  readonly onStop: () => void;
}

/** How far it has come, then green or the first broken link. */
export const VerificationResult = ({ projectId, run, onStop }: VerificationResultProps) => {
  const { state } = run;
  return (
    <section className="stack" aria-label="Result">
      {state.status === "running" && <Progress run={run} onStop={onStop} />}
      {state.status === "stopped" && (
        <Note tone="info">
          <p>
            Stopped after {progressText(state)}. {state.failed.length === 0 && "No check had failed by then."}
          </p>
        </Note>
      )}
      {state.status === "failed" && (
        <ErrorNote error={state.error} title="The chain could not be read completely" />
      )}
      {state.failed.length > 0 && <BrokenChain projectId={projectId} run={run} />}
      {state.verified !== undefined && <Outcome run={run} verified={state.verified} />}
    </section>
  );
};

const Outcome = ({
  run,
  verified,
}: {
  readonly run: VerificationRun;
  readonly verified: ChainVerification;
}) => {
  const { project, first, last, batches, events, checkpoints, failed } = verified;
  if (failed.length > 0)
    return isOldestMissing(verified) ? (
      <Note tone="info">
        <p>
          Only the oldest batches are missing. Records are kept for a limited time, their signed manifests
          indefinitely: tick “Allow missing batches” to verify the rest.
        </p>
      </Note>
    ) : null;
  if (project === undefined)
    return (
      <Empty title="The chain is empty">
        <p>Nothing has been recorded yet. Every decision leaves a record.</p>
      </Empty>
    );
  const missing = run.files === undefined ? [] : missingFiles(run.files);
  return (
    <Note tone="good">
      <p>
        <strong>The chain is unbroken.</strong> {countText(events, "record")} in {batches.toLocaleString()}{" "}
        {batches === 1 ? "batch" : "batches"} ({first.toLocaleString()} to {last.toLocaleString()}) and{" "}
        {countText(checkpoints, "checkpoint")} are as they were signed
        {run.isPartial ? "; batches may be missing." : ", and nothing is missing between them."}
      </p>
      <p className="hint">
        Project <PlainText text={project} mono />
        {missing.length > 0 &&
          `; read from the service, because the files do not have it: ${missing.join(", ")}`}
      </p>
    </Note>
  );
};

/** As "12 of 40 batches, 300 records". Files may hold more batches than signatures of some. */
const progressText = ({ lines: { batches, manifests }, records }: Verification): string => {
  const ofAll = batches > manifests ? "" : ` of ${manifests.toLocaleString()}`;
  return `${batches.toLocaleString()}${ofAll} batches, ${countText(records, "record")}`;
};

const stepText = ({ state, read }: VerificationRun): string => {
  const { step, lines } = state;
  if (step === undefined)
    return `Reading signed manifests${read > 0 ? `: ${countText(read, "signature")}` : ""}…`;
  if (step === "batches") return `Verifying records: ${progressText(state)}`;
  if (step === "checkpoints") return "Verifying checkpoints…";
  return `Verifying signatures: ${lines.manifests.toLocaleString()}`;
};

const Progress = ({ run, onStop }: Pick<VerificationResultProps, "run" | "onStop">) => {
  const { step, lines } = run.state;
  const isCounted = step === "batches" && lines.manifests > 0;
  return (
    <div className="card stack tight">
      <div className="list-head">
        <p>{stepText(run)}</p>
        <button type="button" className="button small" onClick={onStop}>
          Stop
        </button>
      </div>
      {/* Without a value it moves without an end. */}
      <progress
        aria-label="Progress of the verification"
        {...(isCounted && { value: lines.batches, max: lines.manifests })}
      />
    </div>
  );
};

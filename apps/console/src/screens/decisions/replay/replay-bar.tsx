import { ErrorNote } from "../../../components/error-note.tsx";
import { Note } from "../../../components/note.tsx";
import { countText } from "../../../text/count-text.ts";
import type { ReplayState } from "./replay-run.ts";
import { countVerdicts, verdicts, verdictTexts } from "./verdicts.ts";

interface ReplayBarProps {
  /** Records that can be replayed. */
  readonly records: number;
  readonly state: ReplayState | undefined;
  readonly onStart: () => void;
  readonly onStop: () => void;
  readonly onlyDifferent: boolean;
  readonly onOnlyDifferent: (only: boolean) => void;
}

/** Replays every decision of the list, and sums up the verdicts. */
export const ReplayBar = ({
  records,
  state,
  onStart,
  onStop,
  onlyDifferent,
  onOnlyDifferent,
}: ReplayBarProps) => {
  const isRunning = state?.status === "running";
  return (
    <>
      <div className="row replay-bar">
        {isRunning ? (
          <button type="button" className="button small" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="button" className="button small" disabled={records === 0} onClick={onStart}>
            {state === undefined ? "Compare with today" : "Replay again"}
          </button>
        )}
        <span className="hint" role="status">
          {state === undefined
            ? `Replays the decisions of ${countText(records, "listed record")} with today's policies and graph. Nothing is changed.`
            : summaryOf(state)}
        </span>
        {state !== undefined && state.results.size > 0 && (
          <label className="check">
            <input
              type="checkbox"
              checked={onlyDifferent}
              onChange={(event) => onOnlyDifferent(event.target.checked)}
            />
            Only what differs
          </label>
        )}
      </div>
      {state?.status === "failed" && (
        <ErrorNote error={state.error} title="The replay did not complete" onRetry={onStart} />
      )}
      {state?.status === "stopped" && (
        <Note tone="info">
          <p>
            Stopped after {state.done.toLocaleString()} of {countText(state.of, "record")}.
          </p>
        </Note>
      )}
    </>
  );
};

const summaryOf = ({ status, results, done, of }: ReplayState): string => {
  if (status === "running" && results.size === 0) return `Replaying ${countText(of, "record")}…`;
  const counts = countVerdicts(results.values());
  const summary = verdicts
    .filter((verdict) => verdict === "same" || counts[verdict] > 0)
    .map((verdict) => `${counts[verdict].toLocaleString()} ${verdictTexts[verdict].toLowerCase()}`)
    .join(", ");
  const progress = status === "running" ? `, ${done.toLocaleString()} of ${of.toLocaleString()} records` : "";
  return `${countText(results.size, "decision")}: ${summary}${progress}`;
};

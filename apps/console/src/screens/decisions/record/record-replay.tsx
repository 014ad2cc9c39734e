import type { ReplayedDecision } from "@ikg/client";
import { Link } from "@tanstack/react-router";
import { ErrorNote } from "../../../components/error-note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { isObject } from "../../../text/json.ts";
import { useMay } from "../../../session/use-admin.ts";
import type { Names } from "../records/names.ts";
import type { RecordRow } from "../records/record-row.ts";
import { RecordTitle } from "../records/record-title.tsx";
import { ResultTag } from "../records/result-tag.tsx";
import { useReplay } from "../replay/use-replay.ts";
import { VerdictTag } from "../replay/verdict-tag.tsx";
import { reasonTexts, verdictMeanings } from "../replay/verdicts.ts";

interface RecordReplayProps {
  readonly projectId: string;
  readonly rows: readonly RecordRow[];
  readonly names: Names;
}

/** Replays one record and shows its verdict; each decision of a batch has its own. */
export const RecordReplay = ({ projectId, rows, names }: RecordReplayProps) => {
  const { state, start } = useReplay(projectId);
  const [first] = rows;
  if (first === undefined) return null;
  const run = (): void => start([first.record]);
  const isRunning = state?.status === "running";
  return (
    <section className="card stack" aria-label="Replay">
      <div className="list-head">
        <div>
          <h2>Would the decision be the same today?</h2>
          <p className="hint">Re-evaluates the recorded request against today's policies and graph.</p>
        </div>
        <div className="row">
          <button type="button" className="button small" disabled={isRunning} onClick={run}>
            {isRunning ? "Replaying…" : state === undefined ? "Replay" : "Replay again"}
          </button>
          <WhyLink projectId={projectId} row={first} />
        </div>
      </div>
      {state?.status === "failed" && (
        <ErrorNote error={state.error} title="The record could not be replayed" onRetry={run} />
      )}
      {state !== undefined && state.results.size > 0 && (
        <ul className="replayed" role="status">
          {rows.map((row) => (
            <ReplayResult key={row.key} row={row} names={names} result={state.results.get(row.key)} />
          ))}
        </ul>
      )}
    </section>
  );
};

interface ReplayResultProps {
  readonly row: RecordRow;
  readonly names: Names;
  readonly result: ReplayedDecision | undefined;
}

const ReplayResult = ({ row, names, result }: ReplayResultProps) => {
  if (result === undefined) return null;
  const { verdict, because } = result;
  return (
    <li className="stack tight">
      <div className="row">
        {row.entry !== undefined && (
          <>
            <RecordTitle row={row} names={names} />
            <ResultTag result={row.result} />
          </>
        )}
        <VerdictTag result={result} />
      </div>
      <p>
        {verdictMeanings[verdict]}
        {because !== undefined && (
          <>
            {" "}
            Here: {reasonTexts[because.reason]}
            {because.missing !== undefined && (
              <>
                {" "}
                (<PlainText text={because.missing.join(", ")} limit={200} mono />)
              </>
            )}
            .
          </>
        )}
      </p>
    </li>
  );
};

/** The same question in the playground, where its answer is explained. */
const WhyLink = ({ projectId, row }: { readonly projectId: string; readonly row: RecordRow }) => {
  const may = useMay();
  const { subject, action, resource, entry, record } = row;
  if (entry !== undefined || subject === undefined || resource === undefined) return null;
  if (!may("list_authorization_policies", projectId)) return null;
  const params: unknown = isObject(record["data"]) ? record["data"]["input_params"] : undefined;
  return (
    <Link
      to="/playground"
      className="button small"
      search={{
        subject_type: subject.type.toWellFormed(),
        subject: subject.id.toWellFormed(),
        action: action.toWellFormed(),
        resource_type: resource.type.toWellFormed(),
        resource: resource.id.toWellFormed(),
        ...(isObject(params) && Object.keys(params).length > 0 && { params: JSON.stringify(params) }),
        project: projectId,
      }}
    >
      Explain today's decision
    </Link>
  );
};

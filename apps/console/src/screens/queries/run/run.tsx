import type { KnowledgeQueryRecord } from "@ikg/client";
import { Empty } from "../../../components/empty.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Note } from "../../../components/note.tsx";
import { scrollToResult } from "../../../components/scroll-to-result.ts";
import { ApplicationKeyPanel } from "../../../session/application-key-panel.tsx";
import { RunCopies } from "../copy/run-copies.tsx";
import { effectsOf } from "../draft/query-form.ts";
import type { QueryPolicy } from "../use-query-policies.ts";
import { CountsView } from "./counts-view.tsx";
import { Refusal } from "./refusal.tsx";
import { RowsTable } from "./rows-table.tsx";
import { RunForm } from "./run-form.tsx";
import { type Runner, useRun } from "./use-run.ts";

interface RunProps {
  readonly projectId: string;
  readonly query: KnowledgeQueryRecord;
  readonly policy: QueryPolicy | undefined;
  /** The editor has another text than the one that runs. */
  readonly isChanged: boolean;
  /** JSON of the parameters in the address. */
  readonly params: string | undefined;
}

/** Runs a query as an application does: with its parameters and, for a person, a token. */
export const Run = ({ projectId, query, policy, isChanged, params }: RunProps) => {
  const runner = useRun(projectId, query.name, effectsOf(query.query).writes);
  return (
    <div className="run">
      <div className="stack run-request">
        <ApplicationKeyPanel projectId={projectId} />
        <RunForm query={query} policy={policy} params={params} runner={runner} />
        {isChanged && (
          <Note tone="warn">
            <p>What runs is the query as it is saved, without your changes.</p>
          </Note>
        )}
        {query.status !== "ACTIVE" && (
          <Note tone="warn">
            <p>The query is not active: it is refused until its status is Active.</p>
          </Note>
        )}
      </div>
      <div className="run-result">
        <Result projectId={projectId} query={query} policy={policy} runner={runner} />
      </div>
    </div>
  );
};

interface ResultProps extends Pick<RunProps, "projectId" | "query" | "policy"> {
  readonly runner: Runner;
}

const Result = ({ projectId, query, policy, runner: { running, result, setFound } }: ResultProps) => {
  if (running.isPending) return <Loading what="the rows" />;
  if (running.isError) return <Refusal error={running.error} hasWriting={running.variables.request.writes} />;
  if (result === undefined)
    return (
      <Empty title="Rows appear here">
        <p>
          The counts show how many rows the policy filtered out, and why. Only a token filter refuses a query
          as a whole.
        </p>
      </Empty>
    );
  const { found, explanation, at } = result;
  return (
    <div className="stack" key={at} ref={scrollToResult}>
      <RunCopies projectId={projectId} record={query} policy={policy} result={result} />
      <RowsTable found={found} onMore={setFound} />
      {explanation === undefined ? (
        <Note tone="info">
          <p>
            The key may not read explanations: its agent lacks the permission <code>ReadAuthZConfigs</code>.
          </p>
        </Note>
      ) : (
        <CountsView projectId={projectId} explanation={explanation} />
      )}
    </div>
  );
};

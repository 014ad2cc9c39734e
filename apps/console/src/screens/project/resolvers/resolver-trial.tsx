import { type ExternalDataResolverRecord, Ikg, type KnowledgeQueryRecord } from "@ikg/client";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { displayText } from "../../../text/display-text.ts";
import { ErrorNote } from "../../../components/error-note.tsx";
import { JsonField } from "../../../fields/json-field.tsx";
import { objectError, objectOf } from "../../../text/json.ts";
import { Loaded } from "../../../queries/loaded.tsx";
import { useKnowledgeQueries } from "../../../queries/use-knowledge-queries.ts";
import { TokenField } from "../../../fields/token-field.tsx";
import { ApplicationKeyPanel } from "../../../session/application-key-panel.tsx";
import { baseUrl } from "../../../session/base-url.ts";
import { forgetRefusedKey } from "../../../session/forget-refused-key.ts";
import { useApplicationKey } from "../../../session/use-application-key.ts";
import { TrialResult } from "./trial-result.tsx";
import { isWriting, tryResult, type TryResult } from "./try-resolver.ts";

interface ResolverTrialProps {
  readonly projectId: string;
  readonly resolver: ExternalDataResolverRecord;
}

/** Runs a query that returns the resolver's values: nothing else calls a resolver. */
export const ResolverTrial = ({ projectId, resolver }: ResolverTrialProps) => {
  const queries = useKnowledgeQueries(projectId);
  return (
    <section className="card stack" aria-label="Try it">
      <div>
        <h2>Try it</h2>
        <p className="hint">
          A resolver is called for the rows of a knowledge query that returns its values, and by nothing else.
          Choose such a query and run it.
        </p>
      </div>
      <ApplicationKeyPanel projectId={projectId} />
      <Loaded query={queries} what="the queries">
        {(all) => {
          const usable = all.filter((each) => each.status === "ACTIVE" && !isWriting(each));
          return usable.length === 0 ? (
            <p className="hint">
              There is no active query that only reads. Create one that returns a property with this resolver.
            </p>
          ) : (
            <TrialForm projectId={projectId} resolver={resolver} queries={usable} />
          );
        }}
      </Loaded>
    </section>
  );
};

interface Trial {
  readonly query: string;
  readonly params: string;
  readonly token: string;
}

const useTrial = (projectId: string, { id, name }: ExternalDataResolverRecord) => {
  const key = useApplicationKey(projectId);
  const trial = useMutation({
    gcTime: 0,
    mutationFn: async ({ query, params, token }: Trial): Promise<TryResult> => {
      if (key === undefined) throw new Error("An application key is required.");
      const ikg = new Ikg({ baseUrl: baseUrl(), clientKey: key.key });
      const caller = token === "" ? ikg : ikg.withToken(token);
      const page = await caller.execute(query, objectOf(params) ?? {}, { pageSize: 20, timeoutMs: 60_000 });
      return tryResult(page, [name, id]);
    },
    onError: (error) => forgetRefusedKey(projectId, error),
  });
  return { trial, hasKey: key !== undefined };
};

interface TrialFormProps extends ResolverTrialProps {
  readonly queries: readonly KnowledgeQueryRecord[];
}

const TrialForm = ({ projectId, resolver, queries }: TrialFormProps) => {
  const [query, setQuery] = useState(queries[0]?.id ?? "");
  const [params, setParams] = useState("");
  const [token, setToken] = useState("");
  const { trial, hasKey } = useTrial(projectId, resolver);
  const id = useId();
  const error = objectError(params);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (error === undefined) trial.mutate({ query, params, token });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="field">
        <label htmlFor={id}>Query</label>
        <select id={id} value={query} onChange={(event) => setQuery(event.target.value)}>
          {queries.map((each) => (
            <option key={each.id} value={each.id}>
              {displayText(each.name, 80)}
            </option>
          ))}
        </select>
      </div>
      <JsonField
        label="Its parameters, as JSON"
        value={params}
        onChange={setParams}
        error={error}
        placeholder='{"currency": "EUR"}'
      />
      <TokenField value={token} onChange={setToken} purpose="For a query about people." />
      <button
        type="submit"
        className="button primary start"
        disabled={!hasKey || trial.isPending || error !== undefined}
      >
        {trial.isPending ? "Running…" : "Try it"}
      </button>
      {trial.isError && <ErrorNote error={trial.error} title="The query was not run" />}
      {trial.data !== undefined && <TrialResult result={trial.data} />}
    </form>
  );
};

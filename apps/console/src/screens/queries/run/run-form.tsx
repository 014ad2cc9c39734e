import type { KnowledgeQueryRecord } from "@ikg/client";
import { type FormEvent, useState } from "react";
import { ConfirmRemoval } from "../../../components/confirm-removal.tsx";
import { JsonField } from "../../../fields/json-field.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { TokenField } from "../../../fields/token-field.tsx";
import { parametersIn } from "../allowed/allowed.ts";
import { effectsOf } from "../draft/query-form.ts";
import type { QueryPolicy } from "../use-query-policies.ts";
import { type RunParameters, useRunParameters } from "./use-run-parameters.ts";
import type { Runner } from "./use-run.ts";

interface RunFormProps {
  readonly query: KnowledgeQueryRecord;
  readonly policy: QueryPolicy | undefined;
  /** JSON of the address. */
  readonly params: string | undefined;
  readonly runner: Runner;
}

/** What a query is run with. */
export const RunForm = ({ query, policy, params, runner }: RunFormProps) => {
  const { run, token, setToken, running, hasKey } = runner;
  const allowed = policy?.allowed;
  const names = parametersIn(allowed?.cypher ?? "", allowed?.filters ?? "", query.query);
  const parameters = useRunParameters(params, names);
  const [isConfirming, setConfirming] = useState(false);
  const { writes, deletes } = effectsOf(query.query);
  const isOfPerson = allowed !== undefined && allowed.subjectType !== "_Application";
  const start = (): void => parameters.setError(run(parameters.text));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (deletes.length > 0) setConfirming(true);
    else start();
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate aria-label="Run">
      <ParametersField names={names} parameters={parameters} />
      <TokenField
        value={token}
        onChange={setToken}
        purpose={
          isOfPerson
            ? "The policy is about the person who signed in."
            : "The policy is about the application: a token is not needed."
        }
      />
      {writes && (
        <Note tone="warn">
          <p>Running it changes the graph of this project.</p>
        </Note>
      )}
      <div className="row">
        <button type="submit" className="button primary wide" disabled={!hasKey || running.isPending}>
          {running.isPending ? "Running…" : writes ? "Run it, and change the graph" : "Run"}
        </button>
        {!hasKey && <span className="hint">Needs a key, above.</span>}
      </div>
      {isConfirming && (
        <ConfirmDeletes
          name={query.name}
          deletes={deletes}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            start();
          }}
        />
      )}
    </form>
  );
};

interface ParametersFieldProps {
  /** Those that the query and its policy name. */
  readonly names: readonly string[];
  readonly parameters: RunParameters;
}

const ParametersField = ({ names, parameters: { text, error, change } }: ParametersFieldProps) => (
  <JsonField
    label="Parameters, as JSON"
    value={text}
    rows={Math.max(2, Math.min(10, text.split("\n").length))}
    error={error}
    hint={
      names.length === 0
        ? "The query and its policy name no parameter."
        : `The query and its policy name: ${names.join(", ")}`
    }
    onChange={change}
  />
);

interface ConfirmDeletesProps {
  /** Of the query. */
  readonly name: string;
  /** Paths that it deletes. */
  readonly deletes: readonly string[];
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before a query runs that deletes from the graph. */
const ConfirmDeletes = ({ name, deletes, onClose, onConfirm }: ConfirmDeletesProps) => (
  <ConfirmRemoval isOpen kind="query" name={name} action="Run" onClose={onClose} onConfirm={onConfirm}>
    <p>
      For every row that the policy and the parameters leave, it deletes{" "}
      <PlainText text={deletes.join(", ")} limit={300} mono />. It cannot be undone.
    </p>
  </ConfirmRemoval>
);

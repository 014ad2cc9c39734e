import type { KnowledgeQueryRecord } from "@ikg/client";
import { type FormEvent, useState } from "react";
import { ConfirmRemoval } from "../../../parts/confirm-removal.tsx";
import { printJson } from "../../../parts/json.ts";
import { JsonField } from "../../../parts/json-field.tsx";
import { Note } from "../../../parts/note.tsx";
import { PlainText } from "../../../parts/plain-text.tsx";
import { TokenField } from "../../../parts/token-field.tsx";
import { parametersIn } from "../allowed/allowed.ts";
import { effectsOf } from "../draft/query-form.ts";
import type { QueryPolicy } from "../use-query-policies.ts";
import type { Runner } from "./use-run.ts";

interface RunFormProps {
  readonly query: KnowledgeQueryRecord;
  readonly policy: QueryPolicy | undefined;
  /** JSON of the address. */
  readonly params: string | undefined;
  readonly runner: Runner;
}

/** An object with the names of the parameters, to be filled in; empty for none. */
const templateOf = (names: readonly string[]): string =>
  names.length === 0 ? "" : printJson(Object.fromEntries(names.map((name) => [name, ""])));

const readable = (params: string | undefined): string | undefined => {
  if (params === undefined) return undefined;
  try {
    return printJson(JSON.parse(params));
  } catch {
    return params;
  }
};

/** What a query is run with. */
export const RunForm = ({ query, policy, params, runner }: RunFormProps) => {
  const { run, token, setToken, running, hasKey } = runner;
  const allowed = policy?.allowed;
  const names = parametersIn(allowed?.cypher ?? "", allowed?.filters ?? "", query.query);
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const [isConfirming, setConfirming] = useState(false);
  const text = typed ?? readable(params) ?? templateOf(names);
  const { writes, deletes } = effectsOf(query.query);
  const isOfPerson = allowed !== undefined && allowed.subjectType !== "_Application";
  const start = (): void => setError(run(text));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (deletes.length > 0) setConfirming(true);
    else start();
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate aria-label="Run">
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
        onChange={(next) => {
          setTyped(next);
          setError(undefined);
        }}
      />
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
        <ConfirmRemoval
          isOpen
          kind="query"
          name={query.name}
          action="Run"
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            start();
          }}
        >
          <p>
            For every row that the policy and the parameters leave, it deletes{" "}
            <PlainText text={deletes.join(", ")} limit={300} mono />. It cannot be undone.
          </p>
        </ConfirmRemoval>
      )}
    </form>
  );
};

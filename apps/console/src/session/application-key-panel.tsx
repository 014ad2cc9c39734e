import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { ErrorNote } from "../parts/error-note.tsx";
import { Icon } from "../parts/icon.tsx";
import { Instant } from "../parts/instant.tsx";
import { applicationKeys } from "./application-keys.ts";
import { consoleApplication, makeApplicationKey } from "./make-application-key.ts";
import { useAdmin, useMay } from "./use-admin.ts";
import { useApplicationKey } from "./use-application-key.ts";

interface PanelProps {
  readonly projectId: string;
}

/** Which application asks: decisions and queries are for applications, and each brings a key. */
export const ApplicationKeyPanel = ({ projectId }: PanelProps) => {
  const key = useApplicationKey(projectId);
  return key === undefined ? <WithoutKey projectId={projectId} /> : <WithKey projectId={projectId} />;
};

const WithKey = ({ projectId }: PanelProps) => {
  const key = useApplicationKey(projectId);
  const admin = useAdmin(projectId);
  const remove = (): void => {
    applicationKeys.delete(projectId);
    // It would expire by itself: what fails here leaves nothing that lasts.
    if (key?.made !== undefined)
      void admin.agentCredentials.delete(key.made.credentialId).catch(() => undefined);
  };
  return (
    <p className="key-line">
      <Icon name="check" />
      <span>
        {key?.made === undefined ? (
          "Asked with the key that you pasted"
        ) : (
          <>
            Asked with a key of the console, valid until <Instant at={key.made.expireTime} />
          </>
        )}
      </span>
      <button type="button" className="button quiet small" onClick={remove}>
        Forget it
      </button>
    </p>
  );
};

const WithoutKey = ({ projectId }: PanelProps) => {
  const may = useMay();
  const mayMake = [
    "create_application",
    "create_application_agent",
    "create_application_agent_credential",
  ].every((operation) => may(operation, projectId));
  const admin = useAdmin(projectId);
  const make = useMutation({
    mutationFn: () => makeApplicationKey(admin),
    onSuccess: (key) => applicationKeys.set(projectId, key),
  });
  return (
    <section className="card stack key-card" aria-label="Key">
      <div>
        <h2>First, a key to ask with</h2>
        <p className="hint">
          Decisions and queries are for applications. A key stays in the memory of this tab and is never part
          of a link.
        </p>
      </div>
      {mayMake && (
        <div className="row">
          <button
            type="button"
            className="button primary"
            disabled={make.isPending}
            onClick={() => make.mutate()}
          >
            {make.isPending ? "Making a key…" : "Make a key for an hour"}
          </button>
          <span className="hint">
            of the application <code>{consoleApplication}</code>
          </span>
        </div>
      )}
      {make.isError && <ErrorNote error={make.error} title="No key was made" />}
      <PasteKey projectId={projectId} isOnly={!mayMake} />
    </section>
  );
};

const PasteKey = ({ projectId, isOnly }: PanelProps & { readonly isOnly: boolean }) => {
  const [key, setKey] = useState("");
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    applicationKeys.set(projectId, { key: key.trim(), made: undefined });
  };
  return (
    <form onSubmit={submit} className="field">
      <label htmlFor={id}>
        {isOnly ? "Paste the key of an application" : "or paste the key of an application"}
      </label>
      <div className="row nowrap">
        <input
          id={id}
          type="password"
          className="mono"
          autoComplete="off"
          spellCheck={false}
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <button type="submit" className="button" disabled={key.trim() === ""}>
          Use it
        </button>
      </div>
    </form>
  );
};

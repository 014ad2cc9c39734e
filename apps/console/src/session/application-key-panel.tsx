import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { ErrorNote } from "../components/error-note.tsx";
import { Icon } from "../components/icon.tsx";
import { Instant } from "../components/instant.tsx";
import { type KeyPurpose, requestPurpose } from "./key-purpose.ts";
import { consoleApplication, createApplicationKey } from "./create-application-key.ts";
import { useAdmin, useMay } from "./use-admin.ts";
import { useApplicationKey } from "./use-application-key.ts";

interface PanelProps {
  readonly projectId: string;
  readonly purpose: KeyPurpose;
}

interface ApplicationKeyPanelProps {
  readonly projectId: string;
  /** By default a key for decisions and queries. */
  readonly purpose?: KeyPurpose;
}

/** The application key by which the tab calls the data plane, or the ways to get one. */
export const ApplicationKeyPanel = ({ projectId, purpose = requestPurpose }: ApplicationKeyPanelProps) => {
  const key = useApplicationKey(projectId, purpose);
  const Panel = key === undefined ? WithoutKey : WithKey;
  return <Panel projectId={projectId} purpose={purpose} />;
};

const WithKey = ({ projectId, purpose }: PanelProps) => {
  const key = useApplicationKey(projectId, purpose);
  const { used } = purpose.texts;
  const admin = useAdmin(projectId);
  const remove = (): void => {
    purpose.keys.delete(projectId);
    // It would expire by itself: what fails here leaves nothing that lasts.
    if (key?.credential !== undefined)
      void admin.agentCredentials.delete(key.credential.credentialId).catch(() => undefined);
  };
  return (
    <p className="key-line">
      <Icon name="check" />
      <span>
        {key?.credential === undefined ? (
          `${used} the key that you pasted`
        ) : (
          <>
            {used} a key of the console, valid until <Instant at={key.credential.expireTime} />
          </>
        )}
      </span>
      <button type="button" className="button quiet small" onClick={remove}>
        Forget key
      </button>
    </p>
  );
};

const WithoutKey = ({ projectId, purpose }: PanelProps) => {
  const { title, hint } = purpose.texts;
  const may = useMay();
  const mayCreate = [
    "create_application",
    "create_application_agent",
    "create_application_agent_credential",
  ].every((operation) => may(operation, projectId));
  const admin = useAdmin(projectId);
  const creation = useMutation({ mutationFn: () => createApplicationKey(admin, projectId, purpose) });
  return (
    <section className="card stack key-card" aria-label="Key">
      <div>
        <h2>{title}</h2>
        <p className="hint">{hint} A key stays in the memory of this tab and is never part of a link.</p>
      </div>
      {mayCreate && (
        <div className="row">
          <button
            type="button"
            className="button primary"
            disabled={creation.isPending}
            onClick={() => creation.mutate()}
          >
            {creation.isPending ? "Creating a key…" : "Create a key valid for one hour"}
          </button>
          <span className="hint">
            for the application <code>{consoleApplication}</code>
          </span>
        </div>
      )}
      {creation.isError && <ErrorNote error={creation.error} title="The key was not created" />}
      <PasteKey projectId={projectId} purpose={purpose} isOnly={!mayCreate} />
    </section>
  );
};

const PasteKey = ({ projectId, purpose, isOnly }: PanelProps & { readonly isOnly: boolean }) => {
  const [key, setKey] = useState("");
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    purpose.keys.set(projectId, { key: key.trim(), credential: undefined });
  };
  return (
    <form onSubmit={submit} className="field">
      <label htmlFor={id}>{isOnly ? "Paste an application key" : "or paste an application key"}</label>
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
          Use key
        </button>
      </div>
    </form>
  );
};

import type { TokenIntrospectRecord } from "@ikg/client";
import { type FormEvent, useState } from "react";
import { ErrorNote } from "../../../../components/error-note.tsx";
import { PlainText } from "../../../../components/plain-text.tsx";
import { TokenField } from "../../../../fields/token-field.tsx";
import { ApplicationKeyPanel } from "../../../../session/application-key-panel.tsx";
import { introspectOf, readToken } from "./read-token.ts";
import { TokenClaims } from "./token-claims.tsx";
import { useWhoami } from "./use-whoami.ts";
import { VerdictView } from "./verdict-view.tsx";

interface TokenTesterProps {
  readonly projectId: string;
  readonly introspects: readonly TokenIntrospectRecord[];
}

/** Checks a person's token: shows its claims, and the node that it stands for or why it is not accepted. */
export const TokenTester = ({ projectId, introspects }: TokenTesterProps) => {
  const [token, setToken] = useState("");
  const { check, hasKey } = useWhoami(projectId);
  const read = readToken(token);
  const introspect = token === "" ? undefined : introspectOf(read, introspects);
  const type = (text: string): void => {
    setToken(text);
    check.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    check.mutate(token);
  };
  return (
    <section className="card stack" aria-label="Try a token">
      <div>
        <h2>Try a token</h2>
        <p className="hint">Paste the token of a person: what it says, and for which node it stands.</p>
      </div>
      <ApplicationKeyPanel projectId={projectId} />
      <form className="stack tight" onSubmit={submit}>
        <TokenField
          value={token}
          onChange={type}
          purpose="The audit trail records that a token was checked, without its claims."
        />
        {introspect?.perform_upsert === true && (
          <p className="hint">
            Checking also writes the person's node, because <PlainText text={introspect.name} limit={80} /> is
            configured to do so.
          </p>
        )}
        <button
          type="submit"
          className="button primary start"
          disabled={!hasKey || token === "" || check.isPending}
        >
          {check.isPending ? "Checking…" : "Check the token"}
        </button>
      </form>
      {check.isError && <ErrorNote error={check.error} title="The token could not be checked" />}
      {check.data !== undefined && (
        <VerdictView projectId={projectId} verdict={check.data} token={read} introspect={introspect} />
      )}
      {token !== "" && <TokenClaims token={read} />}
    </section>
  );
};

import type { TokenIntrospectRecord } from "@ikg/client";
import { type FormEvent, useState } from "react";
import { ErrorNote } from "../../../../parts/error-note.tsx";
import { PlainText } from "../../../../parts/plain-text.tsx";
import { TokenField } from "../../../../parts/token-field.tsx";
import { ApplicationKeyPanel } from "../../../../session/application-key-panel.tsx";
import { judgeOf, readToken } from "./read-token.ts";
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
  const { asking, hasKey } = useWhoami(projectId);
  const read = readToken(token);
  const judge = token === "" ? undefined : judgeOf(read, introspects);
  const type = (text: string): void => {
    setToken(text);
    asking.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    asking.mutate(token);
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
        {judge?.perform_upsert === true && (
          <p className="hint">
            Checking also writes the person's node, because <PlainText text={judge.name} limit={80} /> is
            configured to do so.
          </p>
        )}
        <button
          type="submit"
          className="button primary start"
          disabled={!hasKey || token === "" || asking.isPending}
        >
          {asking.isPending ? "Checking…" : "Check the token"}
        </button>
      </form>
      {asking.isError && <ErrorNote error={asking.error} title="The token could not be checked" />}
      {asking.data !== undefined && (
        <VerdictView projectId={projectId} verdict={asking.data} token={read} judge={judge} />
      )}
      {token !== "" && <TokenClaims token={read} />}
    </section>
  );
};

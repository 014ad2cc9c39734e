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

/** Takes a token of a person, shows what it says, and for whom it stands, or why it is not accepted. */
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
          purpose="The audit trail says that a token was judged, and has no claim of it."
        />
        {judge?.perform_upsert === true && (
          <p className="hint">
            Asking also writes the node of the person, because <PlainText text={judge.name} limit={80} />{" "}
            does.
          </p>
        )}
        <button
          type="submit"
          className="button primary start"
          disabled={!hasKey || token === "" || asking.isPending}
        >
          {asking.isPending ? "Asking…" : "Who is it?"}
        </button>
      </form>
      {asking.isError && <ErrorNote error={asking.error} title="The token was not judged" />}
      {asking.data !== undefined && (
        <VerdictView projectId={projectId} verdict={asking.data} token={read} judge={judge} />
      )}
      {token !== "" && <TokenClaims token={read} />}
    </section>
  );
};

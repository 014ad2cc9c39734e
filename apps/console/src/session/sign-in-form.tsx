import { IkgError } from "@ikg/client";
import { type FormEvent, useId, useState } from "react";
import { ErrorNote } from "../components/error-note.tsx";
import { signIn } from "./sign-in.ts";

const explain = (error: unknown): unknown =>
  error instanceof IkgError && error.status === 401
    ? new Error("This token is not accepted. It may be mistyped, expired or revoked.")
    : error;

/** Signing in with the token of a service account. */
export const SignInForm = () => {
  const [token, setToken] = useState("");
  const [isRemembered, setRemembered] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await signIn(token.trim(), isRemembered);
    } catch (reason) {
      setError(explain(reason));
      setBusy(false);
    }
  };

  return (
    <form className="stack" onSubmit={(event) => void submit(event)} noValidate>
      <div className="field">
        <label htmlFor={`${id}-token`}>Service account token</label>
        <input
          id={`${id}-token`}
          type="password"
          className="mono"
          autoComplete="off"
          spellCheck={false}
          // The only field of this form, which was asked for.
          autoFocus
          value={token}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setToken(event.target.value)}
        />
        <p className="hint" id={`${id}-hint`}>
          After <code>npm start</code> it is <code>service_account_token</code> in{" "}
          <code>.ikg/environment.json</code>.
        </p>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={isRemembered}
          onChange={(event) => setRemembered(event.target.checked)}
        />
        <span>
          Keep it when this tab reloads
          <small>Otherwise it stays in memory, and a reload asks again.</small>
        </span>
      </label>
      {error !== undefined && <ErrorNote error={error} title="Not signed in" />}
      <button type="submit" className="button primary" disabled={isBusy || token.trim() === ""}>
        {isBusy ? "Signing in…" : "Sign in"}
      </button>
    </form>
  );
};

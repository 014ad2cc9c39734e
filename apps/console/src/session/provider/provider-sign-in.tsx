import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ErrorNote } from "../../components/error-note.tsx";
import { displayText } from "../../text/display-text.ts";
import { signIn } from "../sign-in.ts";
import { authorize } from "./authorize.ts";
import { keepSignedIn } from "./keep-signed-in.ts";
import { type IdentityProvider, readProvider } from "./read-provider.ts";

/** Signing in at the identity provider, where the deployment has one. */
export const ProviderSignIn = () => {
  const provider = useQuery({ queryKey: ["identity-provider"], queryFn: readProvider, staleTime: 300_000 });
  if (provider.isError)
    return (
      <ErrorNote
        error={provider.error}
        title="The identity provider cannot be reached"
        onRetry={provider.refetch}
      />
    );
  if (provider.data === undefined || provider.data === null) return null;
  return <Button provider={provider.data} />;
};

const Button = ({ provider }: { readonly provider: IdentityProvider }) => {
  const cancel = useRef(new AbortController());
  const signing = useMutation({
    mutationFn: async () => {
      cancel.current = new AbortController();
      const { signal } = cancel.current;
      const tokens = await authorize(provider, signal);
      await signIn(tokens.accessToken, false, signal);
      keepSignedIn(provider, tokens);
    },
  });
  useEffect(() => () => cancel.current.abort(new Error("The sign-in page was closed.")), []);
  return (
    <div className="stack">
      <button
        type="button"
        className="button primary"
        disabled={signing.isPending}
        onClick={() => signing.mutate()}
      >
        {signing.isPending
          ? "Sign in in the other window…"
          : `Sign in with ${displayText(new URL(provider.issuer).host, 40)}`}
      </button>
      {signing.isPending && (
        <button
          type="button"
          className="button quiet"
          onClick={() => cancel.current.abort(new Error("Sign-in was cancelled."))}
        >
          Cancel
        </button>
      )}
      {signing.isError && <ErrorNote error={signing.error} title="Not signed in" />}
      <p className="or" aria-hidden="true">
        or
      </p>
    </div>
  );
};

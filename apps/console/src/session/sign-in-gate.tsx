import { IkgError } from "@ikg/client";
import { Fragment, type ReactNode, useEffect, useState } from "react";
import { ownIdOf } from "./own-id.ts";
import { forgetToken, rememberedToken } from "./remembered-token.ts";
import { SignInDialog } from "./sign-in-dialog.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { signIn } from "./sign-in.ts";
import { useSession } from "./use-session.ts";

/** Signs in with the token that the tab was asked to remember. It is forgotten only where the suite does not accept it. */
const useRememberedToken = () => {
  const [isTrying, setTrying] = useState(() => rememberedToken() !== undefined);
  const [error, setError] = useState<unknown>();
  const resume = (): void => {
    const token = rememberedToken();
    if (token === undefined) return;
    setTrying(true);
    setError(undefined);
    signIn(token, true)
      .catch((reason: unknown) => {
        if (reason instanceof IkgError && reason.status === 401) forgetToken();
        else setError(reason);
      })
      .finally(() => setTrying(false));
  };
  useEffect(resume, []);
  return { isTrying, error, resume };
};

/**
 * Shows the screens to a user who has signed in. When a session expires they stay as they are, drafts included, below a dialog that
 * asks to sign in again. Another administrator who signs in there begins with new screens: what those of the former one hold, a
 * key that is shown once for example, goes with them.
 */
export const SignInGate = ({ children }: { readonly children: ReactNode }) => {
  const { isTrying, error, resume } = useRememberedToken();
  const session = useSession();
  if (session.status === "signed_out") {
    if (isTrying) return null;
    // Signing in by other means, or signing out, has ended what failed.
    const failure = rememberedToken() === undefined ? undefined : error;
    return <SignInPage failure={failure} onRetry={resume} />;
  }
  return (
    <>
      <Fragment key={ownIdOf(session)}>{children}</Fragment>
      {session.status === "expired" && <SignInDialog administrator={session.administrator} />}
    </>
  );
};

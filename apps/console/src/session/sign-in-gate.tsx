import { type ReactNode, useEffect, useState } from "react";
import { forgetToken, rememberedToken } from "./remembered-token.ts";
import { SignInDialog } from "./sign-in-dialog.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { signIn } from "./sign-in.ts";
import { useSession } from "./use-session.ts";

/** Signs in with the token that the tab was asked to remember; false once that is tried. */
const useRememberedToken = (): boolean => {
  const [isTrying, setTrying] = useState(() => rememberedToken() !== undefined);
  useEffect(() => {
    const token = rememberedToken();
    if (token === undefined) return;
    signIn(token, true)
      .catch(forgetToken)
      .finally(() => setTrying(false));
  }, []);
  return isTrying;
};

/**
 * Shows the screens to a user who has signed in. When a session expires they stay as they are, drafts included, below a dialog that
 * asks to sign in again.
 */
export const SignInGate = ({ children }: { readonly children: ReactNode }) => {
  const isTrying = useRememberedToken();
  const session = useSession();
  if (session.status === "signed_out") return isTrying ? null : <SignInPage />;
  return (
    <>
      {children}
      {session.status === "expired" && <SignInDialog administrator={session.administrator} />}
    </>
  );
};

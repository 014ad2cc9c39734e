import { flushSync } from "react-dom";
import { queryClient } from "../app/query-client.ts";
import { applicationKeys, importKeys } from "./application-keys.ts";
import { adminClient } from "./admin-client.ts";
import { administratorId } from "./administrator-name.ts";
import { discardDrafts } from "./drafts.ts";
import { ownIdOf } from "./own-id.ts";
import { forgetToken, rememberToken } from "./remembered-token.ts";
import { sessionStore } from "./session-store.ts";

/**
 * Signs in with a bearer. Where another administrator takes over a session that has expired, what was read and made for the former
 * one goes, because roles differ. Drafts stay.
 *
 * @param isRemembered keeps it in the storage of the tab, so that a reload does not ask again.
 * @throws IkgError where the gateway does not accept it, IkgUnreachable, the reason of the signal, and an Error where the session
 *   changed meanwhile.
 */
export const signIn = async (token: string, isRemembered: boolean, signal?: AbortSignal): Promise<void> => {
  const former = sessionStore.get();
  const administrator = await adminClient(token).administrator({ timeoutMs: 15_000, signal });
  signal?.throwIfAborted();
  if (sessionStore.get() !== former)
    throw new Error("Another sign-in, or signing out, came before the response.");
  if (isRemembered) rememberToken(token);
  else forgetToken();
  const formerId = ownIdOf(former);
  const isOther = formerId !== undefined && formerId !== administratorId(administrator);
  if (isOther) {
    for (const keys of [applicationKeys, importKeys]) keys.clear();
    // Before the new screens: they would show what is in the cache, also where the new roles read nothing.
    queryClient.clear();
  }
  // What reads again below has the new credential only once it is rendered with it.
  flushSync(() => sessionStore.signIn({ token, administrator }));
  if (!isOther) await queryClient.invalidateQueries();
};

/** Ends the session, and drops what was read and made with it. */
export const signOut = (): void => {
  const session = sessionStore.get();
  for (const { credential } of [...applicationKeys.clear(), ...importKeys.clear()])
    if (credential !== undefined && session.status === "signed_in")
      void adminClient(session.token)
        .agentCredentials.delete(credential.credentialId)
        // It expires within the hour.
        .catch(() => undefined);
  forgetToken();
  discardDrafts();
  sessionStore.signOut();
  queryClient.clear();
};

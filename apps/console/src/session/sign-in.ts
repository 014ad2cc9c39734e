import { queryClient } from "../app/query-client.ts";
import { adminClient } from "./admin-client.ts";
import { forgetToken, rememberToken } from "./remembered-token.ts";
import { sessionStore } from "./session-store.ts";

/**
 * Signs in with a bearer.
 *
 * @param isRemembered keeps it in the storage of the tab, so that a reload does not ask again.
 * @throws IkgError where the gateway does not accept it, IkgUnreachable.
 */
export const signIn = async (token: string, isRemembered: boolean): Promise<void> => {
  const administrator = await adminClient(token).administrator({ timeoutMs: 15_000 });
  if (isRemembered) rememberToken(token);
  else forgetToken();
  sessionStore.signIn({ token, administrator });
  await queryClient.invalidateQueries();
};

/** Ends the session, and drops what was read with it. */
export const signOut = (): void => {
  forgetToken();
  sessionStore.signOut();
  queryClient.clear();
};

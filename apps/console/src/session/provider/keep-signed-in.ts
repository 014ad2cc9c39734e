import { sessionStore } from "../session-store.ts";
import type { IdentityProvider } from "./read-provider.ts";
import { type ProviderTokens, requestTokens } from "./tokens.ts";

/** Renewed when this part of its life is over. */
const part = 0.8;

/** Browsers run the timer of a longer delay at once. */
const maxDelayMs = 2 ** 31 - 1;

/** Milliseconds until a token is renewed. @param lifeMs milliseconds until it expires */
export const renewalDelay = (lifeMs: number): number => Math.min(lifeMs * part, maxDelayMs);

let timer: ReturnType<typeof setTimeout> | undefined;

const renew = async (
  provider: IdentityProvider,
  accessToken: string,
  refreshToken: string,
): Promise<void> => {
  const isInUse = (): boolean => {
    const session = sessionStore.get();
    return session.status === "signed_in" && session.token === accessToken;
  };
  if (!isInUse()) return;
  const renewed = await requestTokens(provider, { grant_type: "refresh_token", refresh_token: refreshToken });
  const session = sessionStore.get();
  // The session may have ended, or be another one, meanwhile.
  if (session.status !== "signed_in" || !isInUse()) return;
  sessionStore.signIn({ token: renewed.accessToken, administrator: session.administrator });
  keepSignedIn(provider, { ...renewed, refreshToken: renewed.refreshToken ?? refreshToken });
};

/** Renews an access token before it expires, as long as it is the one that the session uses. */
export const keepSignedIn = (
  provider: IdentityProvider,
  { accessToken, refreshToken, lifeMs }: ProviderTokens,
): void => {
  clearTimeout(timer);
  if (refreshToken === undefined || lifeMs === undefined) return;
  timer = setTimeout(() => {
    // What fails here: the token expires, and the console asks to sign in again.
    renew(provider, accessToken, refreshToken).catch(() => undefined);
  }, renewalDelay(lifeMs));
};

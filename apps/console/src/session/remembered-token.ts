/** The token, where a person asked that a reload of the tab keeps it. It ends with the tab. */
const key = "ikg.console.token";

const storage = (): Storage | undefined => {
  try {
    return globalThis.sessionStorage;
  } catch {
    // The browser refuses storage: the token stays in memory alone.
    return undefined;
  }
};

export const rememberToken = (token: string): void => storage()?.setItem(key, token);

export const forgetToken = (): void => storage()?.removeItem(key);

export const rememberedToken = (): string | undefined => storage()?.getItem(key) ?? undefined;

import type { Administrator } from "@ikg/client";

/** Who signed in, and with what. */
export interface SignedIn {
  /** The bearer of every call: a service account's token, or an access token of the identity provider. */
  readonly token: string;
  readonly administrator: Administrator;
}

export type Session =
  | { readonly status: "signed_out" }
  | ({ readonly status: "signed_in" } & SignedIn)
  /** The credential is no longer accepted; what is on the screen stays until the next sign-in. */
  | { readonly status: "expired"; readonly administrator: Administrator };

/** The session of this tab. It lives in memory: nothing of it is stored, and a reload ends it. */
export class SessionStore {
  #session: Session = { status: "signed_out" };
  readonly #listeners = new Set<() => void>();

  /** The same object until the session changes. */
  readonly get = (): Session => this.#session;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  signIn(signedIn: SignedIn): void {
    this.#set({ status: "signed_in", ...signedIn });
  }

  signOut(): void {
    this.#set({ status: "signed_out" });
  }

  /** The gateway refused a credential; one that is no longer in use changes nothing. */
  expire(token: string): void {
    const session = this.#session;
    if (session.status !== "signed_in" || session.token !== token) return;
    this.#set({ status: "expired", administrator: session.administrator });
  }

  #set(session: Session): void {
    this.#session = session;
    for (const listener of this.#listeners) listener();
  }
}

export const sessionStore = new SessionStore();

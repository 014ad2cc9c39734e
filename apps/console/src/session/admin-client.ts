import { IkgAdmin } from "@ikg/client";
import { baseUrl } from "./base-url.ts";
import { sessionStore } from "./session-store.ts";

/** `fetch` that ends the session when the gateway does not accept its token any more. */
const sessionFetch =
  (token: string): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await globalThis.fetch(input, init);
    if (response.status === 401) sessionStore.expire(token);
    return response;
  };

/** The client of everything that administrators may call. */
export const adminClient = (token: string, project?: string): IkgAdmin =>
  new IkgAdmin({ baseUrl: baseUrl(), token, project, fetch: sessionFetch(token), timeoutMs: 30_000 });

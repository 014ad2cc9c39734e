import { IkgAdmin } from "@ikg/client";
import { baseUrl } from "./base-url.ts";
import { sessionStore } from "./session-store.ts";

/** `fetch` that ends the session when the gateway no longer accepts its token. */
const sessionFetch =
  (token: string): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await globalThis.fetch(input, init);
    if (response.status === 401) sessionStore.expire(token);
    return response;
  };

/** The client of everything that administrators may call. */
export const adminClient = (token: string, project?: string): IkgAdmin =>
  new IkgAdmin({ baseUrl: baseUrl(), token, project, fetch: sessionFetch(token) });

const refuse = async (): Promise<Response> =>
  Response.json(
    { message: "the session has expired" },
    { status: 401, headers: { "X-Error-Code": "service_account_invalid" } },
  );

/** The client of a session without a credential: it sends nothing, and every call ends with 401. */
export const expiredClient = (project?: string): IkgAdmin =>
  new IkgAdmin({ baseUrl: baseUrl(), token: "expired", project, fetch: refuse });

import { type Answer, send, type Sending } from "./send.ts";

/** Whose key, and whose bearer token if any. */
export interface Credentials {
  readonly key: string;
  readonly bearer?: string | undefined;
}

/** One request with an agent's key. */
export const withKey = (path: string, { key, bearer }: Credentials, sending: Sending = {}): Promise<Answer> =>
  send(path, {
    ...sending,
    headers: {
      "X-SVC-ClientKey": key,
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...sending.headers,
    },
  });

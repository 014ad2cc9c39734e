import { type Answer, send, type Sending } from "./send.ts";

/** A service account: whose records it sees, and the token that opens `/configs`. */
export interface Account {
  readonly organizationId: string;
  readonly token: string;
}

/** One request to /configs with the token of an account. */
export const asAccount = ({ token }: Account, path: string, sending: Sending = {}): Promise<Answer> =>
  send(`/configs/v1${path}`, {
    ...sending,
    headers: { Authorization: `Bearer ${token}`, ...sending.headers },
  });

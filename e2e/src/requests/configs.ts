import { environment } from "../environment.ts";
import { type Account, asAccount } from "./account.ts";
import type { Answer, Sending } from "./send.ts";

/** Fields of every record; the rest depends on the collection. */
export type ConfigRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** The service account of the environment. */
export const ownAccount = (): Account => {
  const { organization_id, service_account_token } = environment();
  return { organizationId: organization_id, token: service_account_token };
};

/** One request to /configs with the service account of the environment. */
export const configs = (path: string, sending: Sending = {}): Promise<Answer> =>
  asAccount(ownAccount(), path, sending);

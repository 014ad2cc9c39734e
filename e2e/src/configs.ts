import { type Account, asAccount } from "./account.ts";
import { environment } from "./environment.ts";
import { must } from "./must.ts";
import { retryUnavailable } from "./retry-unavailable.ts";
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

/** Creates a record and returns it. */
export const createRecord = async <T extends ConfigRecord>(collection: string, json: unknown): Promise<T> =>
  must<T>(await retryUnavailable(() => configs(`/${collection}`, { json })), 201);

/** Deletes a record. */
export const deleteRecord = async (collection: string, id: string): Promise<void> => {
  must(await retryUnavailable(() => configs(`/${collection}/${id}`, { method: "DELETE" })), 200);
};

/** Every record of a collection in one project, oldest first. */
export const listRecords = async (collection: string, projectId: string): Promise<readonly ConfigRecord[]> =>
  must<{ data: ConfigRecord[] }>(await configs(`/${collection}?project_id=${projectId}&full_fetch=true`), 200)
    .data;

/** Configuration records by plain HTTP, for tests. */
import { asServiceAccount, call } from "./api.ts";
import type { ClientEnvironment } from "./environment.ts";

/** A record as read; further fields depend on its collection. */
export interface RecordFields {
  readonly id: string;
  readonly name?: string;
  readonly [field: string]: unknown;
}

type Place = Pick<ClientEnvironment, "base_url" | "organization_id" | "service_account_token">;

export interface Records {
  list(collection: string, parent: Readonly<Record<string, string>>): Promise<readonly RecordFields[]>;
  create(collection: string, fields: object): Promise<RecordFields>;
  remove(collection: string, id: string): Promise<void>;
}

export const openRecords = ({ base_url, service_account_token }: Place): Records => {
  const headers = asServiceAccount(service_account_token);
  const path = (collection: string) => `/configs/v1/${collection}`;
  const create: Records["create"] = async (collection, fields) =>
    // Fields of a record, or `call` would have thrown.
    (await call(base_url, "POST", path(collection), headers, fields)) as RecordFields;
  return {
    create,
    list: async (collection, parent) => {
      const query = `${path(collection)}?${new URLSearchParams(parent).toString()}`;
      // The list envelope, or `call` would have thrown.
      return ((await call(base_url, "GET", query, headers)) as { data: RecordFields[] }).data;
    },
    remove: async (collection, id) => {
      await call(base_url, "DELETE", `${path(collection)}/${encodeURIComponent(id)}`, headers);
    },
  };
};

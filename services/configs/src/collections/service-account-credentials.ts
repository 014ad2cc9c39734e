import { serviceAccountCredentialCollection } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import type { Collection } from "../records/collection.ts";
import { credential, newToken } from "./credential.ts";

export const serviceAccountCredentials = (settings: {
  readonly pepper: Uint8Array;
  readonly baseUrl: string;
}): Collection<typeof serviceAccountCredentialCollection.fields> => ({
  ...serviceAccountCredentialCollection,
  ...credential,
  make: (_body, { parent }) => {
    const { token, columns } = newToken("sa1", settings.pepper);
    return {
      columns: { ...columns, [lookUpProperties.serviceAccountId]: parent.id },
      once: { service_account_config: { baseUrl: settings.baseUrl, serviceAccountId: parent.id, token } },
    };
  },
});

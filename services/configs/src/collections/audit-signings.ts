import { auditSigningCollection } from "@ikg/contracts";
import type { Collection } from "./collection.ts";

/** api specification 9.13. */
export const auditSignings: Collection<typeof auditSigningCollection.fields> = {
  ...auditSigningCollection,
  // Access to one provider's key is none to another's.
  revise: (body, current, given) =>
    given.has("auth_params") || body.provider === current.provider
      ? body
      : { ...body, auth_params: undefined },
};

import { auditSigningCollection, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { auditKeyKey, auditKeyLabel } from "@ikg/physical";
import type { Collection } from "../records/collection.ts";

const signedText = `MATCH (k:${auditKeyLabel} {key: $key}) RETURN k.key_resource AS key_resource`;

/** @throws Problem "unprocessable" (422) for a name that has signed with another key. */
const requireSameKey = async (
  tx: Transaction,
  project: string,
  kid: string,
  keyResource: string | undefined,
): Promise<void> => {
  const [signed] = await tx.run(signedText, { key: auditKeyKey(project, kid) });
  if (signed === undefined || signed["key_resource"] === keyResource) return;
  throw new Problem("unprocessable", { errors: ["kid: has signed records with another key_resource"] });
};

export const auditSignings: Collection<typeof auditSigningCollection.fields> = {
  ...auditSigningCollection,
  // Access to one provider's key is none to another's.
  adjustUpdate: (body, current, suppliedFields) =>
    suppliedFields.has("auth_params") || body.provider === current.provider
      ? body
      : { ...body, auth_params: undefined },
  columnsOnUpdate: async (tx, { record, body }) => {
    if (record.projectId !== undefined && body.kid !== undefined)
      await requireSameKey(tx, record.projectId, body.kid, body.key_resource);
    return {};
  },
};

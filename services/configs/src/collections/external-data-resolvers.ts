import { externalDataResolverCollection } from "@ikg/contracts";
import type { Collection } from "./collection.ts";

/** api specification 9.9. */
export const externalDataResolvers: Collection<typeof externalDataResolverCollection.fields> =
  externalDataResolverCollection;

import { externalDataResolverCollection } from "@ikg/contracts";
import type { Collection } from "../records/collection.ts";

export const externalDataResolvers: Collection<typeof externalDataResolverCollection.fields> =
  externalDataResolverCollection;

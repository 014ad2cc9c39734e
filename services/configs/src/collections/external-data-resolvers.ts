import { externalDataResolverCollection } from "@ikg/contracts";
import type { Collection } from "./collection.ts";

export const externalDataResolvers: Collection<typeof externalDataResolverCollection.fields> =
  externalDataResolverCollection;

import { applicationCollection } from "@ikg/contracts";
import { systemTypes } from "@ikg/physical";
import type { Collection } from "../records/collection.ts";

export const applications: Collection<typeof applicationCollection.fields> = {
  ...applicationCollection,
  systemNode: { type: systemTypes.application },
};

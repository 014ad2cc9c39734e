import { applicationCollection } from "@ikg/contracts";
import { systemTypes } from "@ikg/physical";
import type { Collection } from "./collection.ts";

/** api specification 9.3. */
export const applications: Collection<typeof applicationCollection.fields> = {
  ...applicationCollection,
  systemNode: { type: systemTypes.application },
};

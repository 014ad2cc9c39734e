import { serviceAccountCollection } from "@ikg/contracts";
import type { Collection } from "./collection.ts";

/** api specification 9.6. */
export const serviceAccounts: Collection<typeof serviceAccountCollection.fields> = serviceAccountCollection;

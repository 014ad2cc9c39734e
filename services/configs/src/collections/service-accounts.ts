import { serviceAccountCollection } from "@ikg/contracts";
import type { Collection } from "../records/collection.ts";

export const serviceAccounts: Collection<typeof serviceAccountCollection.fields> = serviceAccountCollection;

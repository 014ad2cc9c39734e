import type { ChangeSetEntry } from "@ikg/client";
import { type ChangeableCollection, changeableDescriptions, clearedFields } from "@ikg/contracts";
import type { Difference } from "./difference.ts";

/** One change set that makes policies and queries what their files say: what a file leaves out is cleared. */
export const changesOf = (
  differences: readonly Difference<ChangeableCollection>[],
): readonly ChangeSetEntry[] =>
  differences.map(({ collection, name, after }) => {
    const change =
      after === undefined
        ? { op: "delete", collection, name }
        : {
            op: "put",
            collection,
            name,
            record: { ...clearedFields(changeableDescriptions[collection]), ...after },
          };
    return change as unknown as ChangeSetEntry; // the suite judges the record
  });

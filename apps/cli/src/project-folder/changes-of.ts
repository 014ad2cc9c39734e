import type { ChangeSetEntry } from "@ikg/client";
import { type ChangeableCollection, changeableDescriptions, clearedFields } from "@ikg/contracts";
import type { Difference } from "./difference.ts";
import { versionIn, type Versions } from "./versions.ts";

/**
 * One change set that makes policies and queries what their files say: what a file leaves out is cleared.
 *
 * @param versions that the differences are based on: the suite refuses changes of records that are not that any more.
 */
export const changesOf = (
  differences: readonly Difference<ChangeableCollection>[],
  versions: Versions | undefined,
): readonly ChangeSetEntry[] =>
  differences.map(({ collection, name, after }) => {
    const target = { collection, name, if_version: versionIn(versions, { collection, name }) };
    const change =
      after === undefined
        ? { op: "delete", ...target }
        : {
            op: "put",
            ...target,
            record: { ...clearedFields(changeableDescriptions[collection]), ...after },
          };
    return change as unknown as ChangeSetEntry; // the suite judges the record
  });

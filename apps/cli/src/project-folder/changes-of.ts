import type { ChangeSetEntry } from "@ikg/client";
import { type ChangeableCollection, changeableDescriptions, clearedFields } from "@ikg/contracts";
import type { Difference } from "./difference.ts";
import { versionIn, type Versions } from "./versions.ts";

/**
 * Converts differences of policies and queries to one change set. Fields that a file omits are cleared.
 *
 * @param versions the versions on which the differences are based: the suite rejects changes of records with other versions.
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
    return change as unknown as ChangeSetEntry; // the suite validates the record
  });

import {
  changeableDescriptions,
  faultsOf,
  Problem,
  type ChangeSetEntry,
  ChangeSetEntries,
} from "@ikg/contracts";
import { clearingAbsent } from "../history/put-content.ts";
import type { ChangeWithTexts, TransitionWithTexts } from "../history/read-changes.ts";
import type { PlannedChange } from "./planned-change.ts";

const inverseOf = (
  { collection, id, name, from_version, to_version, before }: TransitionWithTexts,
  force: boolean,
): PlannedChange => {
  const target = { collection, name, ...(force ? {} : { if_version: to_version }) };
  const change =
    from_version === 0
      ? { op: "delete" as const, ...target }
      : {
          op: "put" as const,
          ...target,
          record: clearingAbsent(changeableDescriptions[collection], before ?? {}),
        };
  return {
    change: change as ChangeSetEntry, // parsed below
    ...(force || to_version === 0 ? {} : { id }),
  };
};

/**
 * The changes that undo a change record: what it replaced and deleted is put again, what it created goes. Each expects its record
 * to be as the change left it, unless `force`.
 *
 * @throws Problem `unprocessable` where a text is no longer kept or taken.
 */
export const inverseChanges = ({ changes }: ChangeWithTexts, force: boolean): readonly PlannedChange[] => {
  const planned = changes.map((each) => inverseOf(each, force));
  const parsed = ChangeSetEntries.safeParse(
    planned.map(({ change }) => change),
    { reportInput: true },
  );
  if (!parsed.success)
    throw new Problem("unprocessable", {
      errors: ["id: this change cannot be restored under today's rules", ...faultsOf(parsed.error)],
    });
  return planned.map((each, index) => ({ ...each, change: parsed.data[index] ?? each.change }));
};

import { Problem } from "@ikg/contracts";
import { kindOf } from "../history/kinds.ts";
import type { CurrentRecords } from "./current-records.ts";
import type { PlannedChange } from "./planned-change.ts";

const conflictIn = (
  { change, id }: PlannedChange,
  index: number,
  current: CurrentRecords,
): string | undefined => {
  const kind = kindOf[change.collection];
  const record = current.named(kind, change.name);
  const { if_version: expected } = change;
  const what = `${kind.replaceAll("_", " ")} ${change.name}`;
  const place = `changes[${index}].if_version`;
  if (expected !== undefined && expected !== (record?.version ?? 0))
    return record === undefined
      ? `${place}: ${what} does not exist (version 0), ${expected} expected`
      : `${place}: ${what} has version ${record.version}, ${expected} expected`;
  return id !== undefined && record !== undefined && record.id !== id
    ? `${place}: ${what} is another record now, of version ${record.version}`
    : undefined;
};

/** @throws Problem `conflict` naming every record that is not what its change expects, with both versions. */
export const checkExpected = (changes: readonly PlannedChange[], current: CurrentRecords): void => {
  const errors = changes.flatMap((change, index) => conflictIn(change, index, current) ?? []);
  if (errors.length > 0) throw new Problem("conflict", { errors });
};

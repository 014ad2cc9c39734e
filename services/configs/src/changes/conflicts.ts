import { Problem, versionConflict, versionPlace, wordsOf } from "@ikg/contracts";
import { kindOf } from "../history/kinds.ts";
import type { CurrentRecords } from "./current-records.ts";
import type { PlannedChange } from "./planned-change.ts";

const conflictIn = (
  { change, id }: PlannedChange,
  index: number,
  current: CurrentRecords,
): string | undefined => {
  const record = current.named(kindOf[change.collection], change.name);
  const conflict = versionConflict(change, index, record?.version);
  if (conflict !== undefined) return conflict;
  return id !== undefined && record !== undefined && record.id !== id
    ? `${versionPlace(index)}: ${wordsOf(change)} is another record now, of version ${record.version}`
    : undefined;
};

/** @throws Problem `conflict` naming every record that is not what its change expects, with both versions. */
export const checkExpected = (changes: readonly PlannedChange[], current: CurrentRecords): void => {
  const errors = changes.flatMap((change, index) => conflictIn(change, index, current) ?? []);
  if (errors.length > 0) throw new Problem("conflict", { errors });
};

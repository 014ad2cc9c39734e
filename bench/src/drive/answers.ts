/** What is right, from the data themselves and without a database. */
import type { Drive } from "./drive.ts";

export type Action = "READ" | "VIEW";

export type Answer = (person: number, document: number) => boolean;

/** From a number up to its root. */
export const upwards = function* (parents: readonly number[], from: number): Generator<number> {
  for (let at = from; at >= 0; at = parents[at] ?? -1) yield at;
};

/** READ: she owns it, and its level is within her clearance. */
const mayRead =
  (drive: Drive): Answer =>
  (person, document) =>
    (drive.ownersOfDocument[document] ?? []).includes(person) &&
    (drive.levelOfDocument[document] ?? 0) <= (drive.clearance[person] ?? 0);

/** VIEW: she owns it, or a folder above it is shared with her or with a group that she is in, nested groups included. */
const mayView =
  (drive: Drive): Answer =>
  (person, document) => {
    if ((drive.ownersOfDocument[document] ?? []).includes(person)) return true;
    const groups = new Set(
      (drive.groupsOfPerson[person] ?? []).flatMap((group) => [...upwards(drive.parentOfGroup, group)]),
    );
    for (const folder of upwards(drive.parentOfFolder, drive.folderOfDocument[document] ?? -1)) {
      if ((drive.personsOfFolder[folder] ?? []).includes(person)) return true;
      if ((drive.groupsOfFolder[folder] ?? []).some((group) => groups.has(group))) return true;
    }
    return false;
  };

export const answersOf = (drive: Drive): Readonly<Record<Action, Answer>> => ({
  READ: mayRead(drive),
  VIEW: mayView(drive),
});

import { type ChangeableCollection, changeableCollections } from "@ikg/contracts";
import type { RecordLabelKind } from "@ikg/physical";
import type { Transition } from "../records/transition.ts";
import { recordIn } from "../records/transition.ts";

/** Kinds of records whose changes are kept, by the names of their collections. */
export const kindOf = {
  "authorization-policies": "authorization_policy",
  "knowledge-queries": "knowledge_query",
} as const satisfies Readonly<Record<ChangeableCollection, RecordLabelKind>>;

/** The collection of a kind whose changes are kept. */
export const changeableOf = (kind: RecordLabelKind): ChangeableCollection | undefined =>
  changeableCollections.find((collection) => kindOf[collection] === kind);

/** Whether a change record is made of these transitions: of none where a project goes with all that it has. */
export const isKept = (transitions: readonly Transition[]): boolean =>
  transitions.length > 0 &&
  transitions.every((transition) => changeableOf(recordIn(transition).kind) !== undefined);

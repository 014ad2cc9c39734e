import type { Gid, ChangeSetEntry } from "@ikg/contracts";

/** A change of a set, and what is expected of its record besides `if_version`. */
export interface PlannedChange {
  readonly change: ChangeSetEntry;
  /** The record that has the name, where only that one is meant. */
  readonly id?: Gid;
}

/** A set of changes, to be applied as a whole. */
export interface PlannedSet {
  readonly projectId: Gid;
  readonly changes: readonly PlannedChange[];
  /** Deletions of what is gone already do nothing. */
  readonly lenient: boolean;
}

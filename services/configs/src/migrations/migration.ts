import type { Database, Graph, ProjectGraph, Transaction } from "@ikg/graph";

/** The database that is migrated: the shared one, or a part of the graph that a project brings. */
export interface Target {
  readonly database: Database;
  /** Whose claim it has: `shared`, or the gid of a project. */
  readonly owner: string;
  /** The project whose default database it is; undefined for the shared database and for constituents. */
  readonly project: ProjectGraph | undefined;
}

/** What steps work with. */
export interface StepContext extends Target {
  readonly graph: Graph;
  /** Items of a batch. */
  readonly batch: number;
  readonly now: () => number;
}

/** A part of a step that one transaction does. */
export interface Batch {
  /** Where the next batch continues. */
  readonly cursor: string;
  /** What it is about: records, projects. */
  readonly items: number;
  /** Does it, idempotently; absent when nothing is to be done. It may run several times, and has no other effects. */
  readonly write?: (tx: Transaction) => Promise<unknown>;
}

/** Walks over data in the order of a cursor, which begins with "". */
export interface Step {
  /** Unique in its migration; kept with the cursor. */
  readonly name: string;
  /**
   * Reads what the batch after the cursor is.
   *
   * @returns undefined when nothing is left.
   */
  next(context: StepContext, after: string): Promise<Batch | undefined>;
}

/**
 * Takes data from the version before to `version`, while services read and write it. Rules: docs/upgrading.md, "For developers".
 */
export interface Migration {
  readonly version: number;
  /** The name of its file without the number. */
  readonly name: string;
  /** The `newest` schema version of the oldest builds that read and write what it leaves, finished or not. */
  readonly readableFrom: number;
  readonly shared: readonly Step[];
  /** For each database that a project brings, after its constraints were made. */
  readonly own: readonly Step[];
}

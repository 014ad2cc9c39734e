import type { Gid } from "@ikg/contracts";
import { Problem } from "@ikg/contracts";
import { sealedTokens } from "@ikg/service";
import { z } from "zod";

/** The subject of a list: a cursor continues only the list that it was issued for. */
export type ListScope = readonly unknown[];

/** Cursors of one kind of list. They name nodes and states of the database, so that callers get them sealed. */
export interface Cursors<Content> {
  issue(project: Gid, scope: ListScope, content: Content): string;
  /**
   * @param cursor as it came; undefined and empty begin the list.
   * @throws Problem `invalid_request` (400) for what was not issued for this list.
   */
  read(project: Gid, scope: ListScope, cursor: string | undefined): Content | undefined;
}

/** Keys that seal cursors; those sealed with former ones are accepted as well. */
export interface SealingKeys {
  readonly key: Uint8Array;
  readonly former: readonly Uint8Array[];
}

/** @param content its schema; a later release that changes it takes another `purpose`. */
export const openCursors = <Content>(
  { key, former }: SealingKeys,
  purpose: string,
  content: z.ZodType<Content>,
): Cursors<Content> => {
  const sealed = sealedTokens(key, purpose, former);
  return {
    issue: (project, scope, state) => sealed.issue(state, [project, ...scope]),
    read: (project, scope, cursor) => {
      if (cursor === undefined || cursor === "") return undefined;
      const parsed = content.safeParse(sealed.read(cursor, [project, ...scope]));
      if (parsed.success) return parsed.data;
      throw new Problem("invalid_request", { errors: ["cursor: not a cursor returned by this endpoint"] });
    },
  };
};

/** A list of nodes continues after a key, which is stored without the project's key at its beginning. */
export const NodesCursor = z.object({ range: z.int().min(0), after: z.string() });

export type NodesCursor = z.output<typeof NodesCursor>;

/** A list of neighbours continues in a database, after a relationship by the columns of its order. */
export const NeighboursCursor = z.object({
  /** Index among the databases that hold the node. */
  database: z.int().min(0),
  type: z.string(),
  direction: z.int(),
  /** The gid of the other end. */
  neighbourId: z.string(),
  elementId: z.string(),
});

export type NeighboursCursor = z.output<typeof NeighboursCursor>;

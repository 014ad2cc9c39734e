import { sealedTokens } from "@ikg/service";

/** The entry after which a list continues. */
export interface Position {
  readonly name: string;
  readonly id: string;
}

/** Cursors that callers cannot make or change, each for one method in one project. */
export interface Cursors {
  issue(position: Position, method: string, project: string): string;
  /** Undefined for a cursor of another list, or one that was not issued here. */
  read(cursor: string, method: string, project: string): Position | undefined;
}

/** @param former keys of earlier rotations, whose cursors are accepted as well. */
export const openCursors = (key: Uint8Array, former: readonly Uint8Array[] = []): Cursors => {
  const sealed = sealedTokens(key, "mcp cursors", former);
  return {
    issue: ({ name, id }, method, project) => sealed.issue([name, id], [method, project]),
    read: (cursor, method, project) => {
      const content = sealed.read(cursor, [method, project]);
      if (content === undefined) return undefined;
      const [name, id] = content as [string, string]; // authenticated by its seal
      return { name, id };
    },
  };
};

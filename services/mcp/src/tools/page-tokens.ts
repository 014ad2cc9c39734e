import { sealedTokens } from "@ikg/service";

/** The position at which an execution continues. */
export interface PagePosition {
  /** Rows that were returned so far. */
  readonly offset: number;
  /** Rows of a page at most. */
  readonly size: number;
}

/** What a page token is bound to. */
export interface PagedCall {
  readonly project: string;
  readonly id: string;
  readonly inputParams: Readonly<Record<string, unknown>>;
}

/**
 * Page tokens of `ciq_execute`. Models repeat them and cannot count with them: pages may end early, so that a number that a model
 * counts up would leave out rows or show them twice.
 */
export interface PageTokens {
  issue(position: PagePosition, call: PagedCall): string;
  /** Undefined for a token of another call, or one that was not issued here. */
  read(token: string, call: PagedCall): PagePosition | undefined;
}

/** The same for the same values, in whatever order a model writes them. */
const scopeOf = ({ project, id, inputParams }: PagedCall): unknown => [
  project,
  id,
  Object.keys(inputParams)
    .toSorted()
    .map((name) => [name, inputParams[name]]),
];

/** @param former keys of earlier rotations, whose tokens are accepted as well. */
export const openPageTokens = (key: Uint8Array, former: readonly Uint8Array[] = []): PageTokens => {
  const sealed = sealedTokens(key, "mcp page tokens", former);
  return {
    issue: ({ offset, size }, call) => sealed.issue([offset, size], scopeOf(call)),
    read: (token, call) => {
      const content = sealed.read(token, scopeOf(call));
      if (content === undefined) return undefined;
      const [offset, size] = content as [number, number]; // we sealed it
      return { offset, size };
    },
  };
};

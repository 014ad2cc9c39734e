import { keyPrefix, nodeLabel, type ProjectKey } from "./labels.ts";
import { keyField } from "./properties.ts";

/** A range of keys; both ends are exclusive. */
export interface KeyRange {
  readonly after: string;
  readonly before: string;
}

/**
 * What the keys of everything begin with that is kept about a project besides its graph: changes, imports, trust runs, names. Gids
 * hold no slash.
 */
export const projectPrefix = (projectId: string): string => `${projectId}/`;

/** A text behind every key with this prefix, which ends with a slash: `0` follows `/` in every order of texts. */
export const behindPrefix = (prefix: string): string => `${prefix.slice(0, -1)}0`;

/** Every key with this prefix, which ends with a slash. */
export const prefixRange = (prefix: string): KeyRange => ({ after: prefix, before: behindPrefix(prefix) });

/**
 * The keys of nodes that callers wrote: all of a project but for types that begin with an underscore, which the platform
 * writes. In every order of texts `` ` `` follows `_`.
 */
export const writtenRanges = (pk: ProjectKey): readonly KeyRange[] => {
  const all = keyPrefix(pk, "").slice(0, -1);
  return [
    { after: all, before: `${all}_` },
    { after: `${all}\``, before: behindPrefix(all) },
  ];
};

/**
 * Begins a statement about nodes `n` between two keys, which continues with a WHERE. A seek in the index compares keys by code
 * point, as they are ordered; a filter after a scan compares a stored text with a parameter by UTF-16 unit and loses some.
 */
export const seekNodes = `MATCH (n:${nodeLabel})
USING INDEX SEEK n:${nodeLabel}(${keyField})`;

/** Names of records of the configuration by their gids, as far as the roles may read them. */
export interface Names {
  readonly policies: ReadonlyMap<string, string>;
  /** Agents and service accounts. */
  readonly actors: ReadonlyMap<string, string>;
  readonly queries: ReadonlyMap<string, string>;
}

export const noNames: Names = { policies: new Map(), actors: new Map(), queries: new Map() };

/** Ends of gids tell them apart. */
export const shortGid = (id: string): string => (id.startsWith("gid:") ? `gid:…${id.slice(-6)}` : id);

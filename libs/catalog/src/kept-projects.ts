export interface KeptProjectLimits {
  /** Bytes of memory, as `weightOf` estimates them. */
  readonly bytes: number;
  readonly projects: number;
}

/** Projects of one organization, the one that was not asked for longest first. */
interface Holding {
  readonly projects: Map<string, number>;
  bytes: number;
}

/** Which projects stay in memory. */
export interface KeptProjects {
  /** Notes that a project is asked for. */
  use(id: string): void;
  /**
   * Notes a project as it was loaded, with its memory.
   *
   * @returns the projects that go for it.
   */
  keep(id: string, organizationId: string, bytes: number): readonly string[];
  drop(id: string): void;
}

/**
 * Bounds the projects in memory. Where they are too many or too large, the organization that holds most gives up the project that it has
 * not asked for longest, so that no organization can push out the projects of another that holds less.
 */
export const openKeptProjects = (limits: KeptProjectLimits): KeptProjects => {
  const holdings = new Map<string, Holding>();
  const organizations = new Map<string, string>();
  let bytesOfAll = 0;

  const drop = (id: string): void => {
    const organizationId = organizations.get(id) ?? "";
    const holding = holdings.get(organizationId);
    const bytes = holding?.projects.get(id);
    if (holding === undefined || bytes === undefined) return;
    organizations.delete(id);
    holding.projects.delete(id);
    holding.bytes -= bytes;
    bytesOfAll -= bytes;
    if (holding.projects.size === 0) holdings.delete(organizationId);
  };

  /** The project that goes next; never the one that was just loaded. */
  const next = (id: string, sizeOf: (holding: Holding) => number): string | undefined => {
    let most: { readonly size: number; readonly oldest: string } | undefined;
    for (const holding of holdings.values()) {
      const size = sizeOf(holding);
      if (most !== undefined && size <= most.size) continue;
      const oldest = [...holding.projects.keys()].find((each) => each !== id);
      if (oldest !== undefined) most = { size, oldest };
    }
    return most?.oldest;
  };

  return {
    use: (id) => {
      const holding = holdings.get(organizations.get(id) ?? "");
      const bytes = holding?.projects.get(id);
      if (holding === undefined || bytes === undefined) return;
      holding.projects.delete(id);
      holding.projects.set(id, bytes);
    },
    keep: (id, organizationId, bytes) => {
      drop(id);
      const holding = holdings.get(organizationId) ?? { projects: new Map<string, number>(), bytes: 0 };
      holdings.set(organizationId, holding);
      organizations.set(id, organizationId);
      holding.projects.set(id, bytes);
      holding.bytes += bytes;
      bytesOfAll += bytes;
      const dropped: string[] = [];
      for (;;) {
        const over =
          bytesOfAll > limits.bytes
            ? next(id, (each) => each.bytes)
            : organizations.size > limits.projects
              ? next(id, ({ projects }) => projects.size)
              : undefined;
        if (over === undefined) return dropped;
        drop(over);
        dropped.push(over);
      }
    },
    drop,
  };
};

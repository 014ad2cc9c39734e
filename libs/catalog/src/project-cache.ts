export interface ProjectCacheLimits {
  /** Bytes of memory, as `weightOf` estimates them. */
  readonly bytes: number;
  readonly projects: number;
}

/** Projects of one organization with their bytes, the least recently used first. */
interface Holding {
  readonly projects: Map<string, number>;
  bytes: number;
}

/** Decides which projects stay in memory. */
export interface ProjectCache {
  /** Records a use of a project. */
  use(id: string): void;
  /**
   * Adds a project that was loaded, with its memory.
   *
   * @returns the projects that are evicted for it.
   */
  keep(id: string, organizationId: string, bytes: number): readonly string[];
  drop(id: string): void;
}

/**
 * Bounds the projects in memory. When they are too many or too large, the organization that holds the most gives up its
 * least recently used project, so that no organization can evict the projects of another that holds less.
 */
class BoundedProjectCache implements ProjectCache {
  readonly #limits: ProjectCacheLimits;
  readonly #holdings = new Map<string, Holding>();
  /** Organization of each project. */
  readonly #organizations = new Map<string, string>();
  #bytes = 0;

  constructor(limits: ProjectCacheLimits) {
    this.#limits = limits;
  }

  use(id: string): void {
    const holding = this.#holdingOf(id);
    const bytes = holding?.projects.get(id);
    if (holding === undefined || bytes === undefined) return;
    holding.projects.delete(id);
    holding.projects.set(id, bytes);
  }

  keep(id: string, organizationId: string, bytes: number): readonly string[] {
    this.drop(id);
    const holding = this.#holdings.get(organizationId) ?? { projects: new Map<string, number>(), bytes: 0 };
    this.#holdings.set(organizationId, holding);
    this.#organizations.set(id, organizationId);
    holding.projects.set(id, bytes);
    holding.bytes += bytes;
    this.#bytes += bytes;
    const dropped: string[] = [];
    for (;;) {
      const evicted = this.#evictionFor(id);
      if (evicted === undefined) return dropped;
      this.drop(evicted);
      dropped.push(evicted);
    }
  }

  drop(id: string): void {
    const organizationId = this.#organizations.get(id) ?? "";
    const holding = this.#holdings.get(organizationId);
    const bytes = holding?.projects.get(id);
    if (holding === undefined || bytes === undefined) return;
    this.#organizations.delete(id);
    holding.projects.delete(id);
    holding.bytes -= bytes;
    this.#bytes -= bytes;
    if (holding.projects.size === 0) this.#holdings.delete(organizationId);
  }

  #holdingOf(id: string): Holding | undefined {
    return this.#holdings.get(this.#organizations.get(id) ?? "");
  }

  #evictionFor(id: string): string | undefined {
    if (this.#bytes > this.#limits.bytes) return this.#oldestOfLargest(id, (holding) => holding.bytes);
    if (this.#organizations.size > this.#limits.projects)
      return this.#oldestOfLargest(id, ({ projects }) => projects.size);
    return undefined;
  }

  /** The least recently used project of the organization that holds the most; never the one that was just loaded. */
  #oldestOfLargest(loaded: string, sizeOf: (holding: Holding) => number): string | undefined {
    let largest: { readonly size: number; readonly oldest: string } | undefined;
    for (const holding of this.#holdings.values()) {
      const size = sizeOf(holding);
      if (largest !== undefined && size <= largest.size) continue;
      const oldest = [...holding.projects.keys()].find((each) => each !== loaded);
      if (oldest !== undefined) largest = { size, oldest };
    }
    return largest?.oldest;
  }
}

export const openProjectCache = (limits: ProjectCacheLimits): ProjectCache => new BoundedProjectCache(limits);

/** Keys of application agents, by which the data plane is called. They live in the memory of the tab. */
export interface ApplicationKey {
  readonly key: string;
  /** Undefined for a key that was pasted. */
  readonly made: { readonly credentialId: string; readonly expireTime: string } | undefined;
}

/** One key for each project. */
export class ApplicationKeys {
  readonly #byProject = new Map<string, ApplicationKey>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get(projectId: string): ApplicationKey | undefined {
    return this.#byProject.get(projectId);
  }

  set(projectId: string, key: ApplicationKey): void {
    this.#byProject.set(projectId, key);
    this.#announce();
  }

  delete(projectId: string): void {
    this.#byProject.delete(projectId);
    this.#announce();
  }

  /** @returns those that there were. */
  clear(): readonly ApplicationKey[] {
    const keys = [...this.#byProject.values()];
    this.#byProject.clear();
    this.#announce();
    return keys;
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Keys that ask: decisions, searches, queries. */
export const applicationKeys = new ApplicationKeys();

/** Keys that write graphs. */
export const importKeys = new ApplicationKeys();

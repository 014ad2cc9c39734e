/** What people have typed and not saved. It lives in the memory of the tab, so that a look at another screen loses nothing. */
export class Drafts<Draft> {
  readonly #byKey = new Map<string, Draft>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get size(): number {
    return this.#byKey.size;
  }

  readonly get = (key: string): Draft | undefined => this.#byKey.get(key);

  set(key: string, draft: Draft): void {
    this.#byKey.set(key, draft);
    this.#announce();
  }

  delete(key: string): void {
    if (this.#byKey.delete(key)) this.#announce();
  }

  clear(): void {
    this.#byKey.clear();
    this.#announce();
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

const kept: Drafts<never>[] = [];

/** The browser asks before a tab is left that has some. */
const warnBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Drafts of one kind, which go with the session. */
export const keptDrafts = <Draft>(): Drafts<Draft> => {
  const drafts = new Drafts<Draft>();
  kept.push(drafts as unknown as Drafts<never>); // only its size, and its end
  drafts.subscribe(() => {
    if (kept.some(({ size }) => size > 0)) addEventListener("beforeunload", warnBeforeUnload);
    else removeEventListener("beforeunload", warnBeforeUnload);
  });
  return drafts;
};

export const discardDrafts = (): void => {
  for (const drafts of kept) drafts.clear();
};

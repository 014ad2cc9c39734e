/** Values by key, in the memory of the tab, for `useSyncExternalStore`: listeners are called after each change. */
export class ObservableMap<Value> {
  readonly #byKey = new Map<string, Value>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly get = (key: string): Value | undefined => this.#byKey.get(key);

  /** As they are now. */
  values(): readonly Value[] {
    return [...this.#byKey.values()];
  }

  set(key: string, value: Value): void {
    this.#byKey.set(key, value);
    this.#announce();
  }

  delete(key: string): void {
    if (this.#byKey.delete(key)) this.#announce();
  }

  /** @returns those that there were. */
  clear(): readonly Value[] {
    const values = this.values();
    this.#byKey.clear();
    this.#announce();
    return values;
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A map that holds at most `limit` entries and forgets the one that was not used for longest. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
  values(): Iterable<V>;
  deleteWhere(gone: (value: V) => boolean): void;
  readonly size: number;
}

/**
 * Order of use is the insertion order of a Map: reading an entry puts it at the end.
 *
 * @param forgotten called with a value that had to go for a newer one.
 */
export const boundedMap = <K, V>(limit: number, forgotten?: (value: V) => void): BoundedMap<K, V> => {
  const entries = new Map<K, V>();
  /** The key at the end, which is often the next that is asked for; it stays where it is. */
  let last: K | undefined;
  return {
    get: (key) => {
      const value = entries.get(key);
      if (value === undefined || key === last) return value;
      entries.delete(key);
      entries.set(key, value);
      last = key;
      return value;
    },
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      last = key;
      if (entries.size > limit) {
        const oldest = entries.entries().next();
        if (oldest.done !== true) {
          entries.delete(oldest.value[0]);
          forgotten?.(oldest.value[1]);
        }
      }
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    values: () => entries.values(),
    deleteWhere: (gone) => {
      for (const [key, value] of entries) if (gone(value)) entries.delete(key);
    },
    get size() {
      return entries.size;
    },
  };
};

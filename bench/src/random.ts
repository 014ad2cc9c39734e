/** Random numbers from a seed, so that two runs ask the same questions. */

export interface Random {
  /** an integer from 0 to `below` - 1 */
  integer(below: number): number;
  pick<T>(values: readonly T[]): T;
}

/** Mulberry32: 32 bits of state, good enough to spread questions over data. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    integer,
    pick: (values) => {
      const value = values[integer(values.length)];
      if (value === undefined) throw new Error("nothing to pick from");
      return value;
    },
  };
};

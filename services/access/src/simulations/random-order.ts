import type { StatementOptions } from "@ikg/graph";
import { keyField, keyPrefix, type ProjectKey, quoteName, typeLabel } from "@ikg/physical";
import { type GraphSource, inSource, sourceParameters, unknownTo } from "./graph-sources.ts";

/** Positions are below this prime; a fifth power permutes them, because 5 has no factor in common with it less one. */
const positions = 2_147_483_647;

/** A node with its position in the random order. */
export interface PositionedNode {
  readonly position: number;
  readonly id: string;
}

/** Parameters of one random order. The generator is splitmix32 (Steele and others, 2014). */
const orderOf = (seed: number) => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % (positions - 1);
  };
  return { factor: next() + 1, shift: next(), second: next() + 1, last: next() };
};

/** Nodes of one type with their positions, above `after` and up to `until`. */
const bandText = (label: string): string =>
  [
    `MATCH (n:${label})`,
    `WITH n, (id(n) % ${positions} * $factor + $shift) % ${positions} AS x`,
    `WITH n, x, x * x % ${positions} AS square`,
    `WITH n, (square * square % ${positions} * x % ${positions} * $second + $last) % ${positions} AS position`,
    `WHERE position > $after AND position <= $until AND n.${keyField} STARTS WITH $prefix`,
    "RETURN collect([position, n.external_id]) AS placed",
  ].join(" ");

export interface RandomOrder {
  /** Nodes of the type, those of other types with the same label included, and those of several parts of a graph as often. */
  count(): Promise<number>;
  /**
   * The next nodes behind a position, in their order; about `size` of them.
   *
   * @returns `until`: everything up to there has been returned; `end` after the last one. `repeated`: how many were left
   *   out because another part of the graph has them, too.
   */
  band(
    after: number,
    size: number,
    total: number,
  ): Promise<{
    readonly nodes: readonly PositionedNode[];
    readonly until: number;
    readonly repeated: number;
  }>;
}

/** Before the first position, and behind the last one. */
export const orderStart = -1;
export const orderEnd = positions - 1;

/**
 * The nodes of one type in a random order that a seed chooses: the first of them are a random sample without
 * replacement, wherever a reader stops. There is no state: a position is enough to continue. A node that several sources have counts
 * in the first of them.
 */
export const randomOrder = (
  sources: readonly GraphSource[],
  { pk, type, seed }: { readonly pk: ProjectKey; readonly type: string; readonly seed: number },
  options: () => StatementOptions,
): RandomOrder => {
  const label = quoteName(typeLabel(type, pk));
  const prefix = keyPrefix(pk, type);
  const order = orderOf(seed);
  const countText = `MATCH (n:${label}) RETURN count(n) AS count`;

  const bandOf = async (index: number, source: GraphSource, after: number, until: number) => {
    const parameters = { ...order, after, until, prefix, ...sourceParameters(source) };
    const [row] = await source.database.read(inSource(source, bandText(label)), parameters, options());
    const placed = (row?.["placed"] ?? []) as readonly (readonly [number, string])[]; // collected above
    const all = placed.map(([position, id]) => ({ position, id }));
    if (index === 0) return { nodes: all, repeated: 0 };
    const keys = all.map(({ id }) => prefix + id);
    const own = new Set(await unknownTo(sources.slice(0, index), keys, options));
    const kept = all.filter(({ id }) => own.has(prefix + id));
    return { nodes: kept, repeated: all.length - kept.length };
  };

  return {
    count: async () => {
      let count = 0;
      for (const source of sources) {
        const [row] = await source.database.read(
          inSource(source, countText),
          sourceParameters(source),
          options(),
        );
        count += Number(row?.["count"] ?? 0);
      }
      return count;
    },
    band: async (after, size, total) => {
      const step = total <= size ? positions : Math.ceil((positions / total) * size);
      const until = Math.min(orderEnd, after + step);
      const bands = [];
      for (const [index, source] of sources.entries()) bands.push(await bandOf(index, source, after, until));
      return {
        nodes: bands.flatMap(({ nodes }) => nodes).sort((a, b) => a.position - b.position),
        until,
        repeated: bands.reduce((sum, { repeated }) => sum + repeated, 0),
      };
    },
  };
};

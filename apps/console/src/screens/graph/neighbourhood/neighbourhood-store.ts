import type { CursorPage, Neighbour } from "@ikg/client";
import type { NamedNode } from "../node-link.tsx";
import { type Expansion, type Expansions, nodeKey } from "./neighbourhood.ts";

/** Which relationships are read. */
export interface Filters {
  readonly direction: "in" | "out" | undefined;
  /** Empty: all types. */
  readonly types: readonly string[];
}

export interface PageRequest extends Filters {
  readonly node: NamedNode;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

export type ReadPage = (request: PageRequest) => Promise<CursorPage<Neighbour>>;

/** Neighbours of a node, and of those among them that were expanded; each is read page by page. */
export class NeighbourhoodStore {
  readonly #root: NamedNode;
  readonly #read: ReadPage;
  readonly #listeners = new Set<() => void>();
  #filters: Filters = { direction: undefined, types: [] };
  #expansions: Expansions = new Map();
  /** Ends with the filters that it was made for: late results are ignored. */
  #abort = new AbortController();

  constructor(root: NamedNode, read: ReadPage) {
    this.#root = root;
    this.#read = read;
  }

  readonly get = (): Expansions => this.#expansions;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads everything that is expanded by other filters; the root the first time. */
  open(filters: Filters): void {
    this.close();
    this.#filters = filters;
    this.#abort = new AbortController();
    const nodes = [...this.#expansions.values()].map(({ node }) => node);
    this.#expansions = new Map();
    for (const node of nodes.length === 0 ? [this.#root] : nodes) this.expand(node);
  }

  close(): void {
    this.#abort.abort();
  }

  readonly expand = (node: NamedNode): void => {
    const key = nodeKey(node);
    if (this.#expansions.has(key)) return;
    this.#load(key, { node, neighbours: [], status: "loading", cursor: undefined });
  };

  /** Forgets the neighbours of a node; those that came by them go, too. */
  collapse(node: NamedNode): void {
    const key = nodeKey(node);
    if (key === nodeKey(this.#root)) return;
    const rest = new Map(this.#expansions);
    rest.delete(key);
    this.#set(this.#reachable(rest));
  }

  /** Reads the next page of a node, or once more the one that failed. */
  more(node: NamedNode): void {
    const key = nodeKey(node);
    const expansion = this.#expansions.get(key);
    if (expansion === undefined || expansion.status === "loading") return;
    if (expansion.status === "ready" && expansion.cursor === undefined) return;
    this.#load(key, { ...expansion, status: "loading", error: undefined });
  }

  retryFailed(): void {
    for (const { node, status } of this.#expansions.values()) if (status === "failed") this.more(node);
  }

  /** Those whose nodes are still there: the root, and what its neighbours lead to. */
  #reachable(all: Expansions): Expansions {
    const kept = new Map<string, Expansion>();
    const next = [nodeKey(this.#root)];
    for (let key = next.pop(); key !== undefined; key = next.pop()) {
      const expansion = all.get(key);
      if (expansion === undefined || kept.has(key)) continue;
      kept.set(key, expansion);
      next.push(...expansion.neighbours.map(({ node }) => nodeKey(node)));
    }
    // In the order in which they were expanded, so that every node keeps its anchor.
    return new Map([...all].filter(([key]) => kept.has(key)));
  }

  #load(key: string, expansion: Expansion): void {
    const { signal } = this.#abort;
    this.#put(key, expansion);
    const { node, neighbours, cursor } = expansion;
    const put = (change: Partial<Expansion>): void => {
      // Collapsed meanwhile, or read by other filters.
      if (signal.aborted || !this.#expansions.has(key)) return;
      this.#put(key, { ...expansion, ...change });
    };
    this.#read({ ...this.#filters, node, cursor, signal }).then(
      (page) => put({ neighbours: [...neighbours, ...page.items], cursor: page.cursor, status: "ready" }),
      (error: unknown) => put({ status: "failed", error }),
    );
  }

  #put(key: string, expansion: Expansion): void {
    this.#set(new Map(this.#expansions).set(key, expansion));
  }

  #set(expansions: Expansions): void {
    this.#expansions = expansions;
    for (const listener of this.#listeners) listener();
  }
}

import { describe, expect, it } from "@jest/globals";
import type { Session } from "neo4j-driver";
import { copyUnit, type Snapshot } from "./snapshot.ts";
import type { RawDatabase, RawRow } from "./source.ts";
import type { Unit } from "./units.ts";

const unit: Unit = {
  name: "p",
  nodes: [{ match: "(n:X)", params: {} }],
  relationships: [{ match: "(n:X)-[r]->(m)", params: {} }],
  overlaps: false,
};
const project = { id: "p", pk: "abcdefgh" };

/** A store of nodes with values, and of relationships between them. */
class Store implements RawDatabase {
  readonly nodes = new Map<string, number>();
  readonly relationships = new Map<string, readonly [start: string, end: string, value: number]>();
  /** Readings of all nodes so far, and moments. */
  readings = 0;
  moments = 0;
  terminated = 0;
  /** Called when a reading of all nodes begins. */
  onReading: (store: Store) => void = () => undefined;
  /** What takes locks waits for it. */
  locked: () => Promise<void> = async () => undefined;

  #node = (id: string): RawRow => ({ e: `4:x:${id}`, l: ["X"], p: { value: this.nodes.get(id) } });
  #relationship = (id: string): RawRow => {
    const [start, end, value] = this.relationships.get(id) ?? ["", "", 0];
    return { e: `5:x:${id}`, s: `4:x:${start}`, t: `4:x:${end}`, y: "KNOWS", p: { value } };
  };

  async *stream(text: string, params: Readonly<Record<string, unknown>> = {}): AsyncGenerator<RawRow> {
    const ids = (params["ids"] as readonly string[] | undefined)?.map((id) => id.split(":")[2] ?? "");
    const [kind, rowOf] = /\br\b.*RETURN/.test(text)
      ? ([this.relationships, this.#relationship] as const)
      : ([this.nodes, this.#node] as const);
    if (text.startsWith("SHOW TRANSACTIONS")) this.terminated += 1;
    else if (ids !== undefined) for (const id of ids) yield rowOf(id);
    else if (text.includes("collect(")) {
      if (kind === this.nodes) this.moments += 1;
      yield { ids: [...kind.keys()].map((id) => `4:x:${id}`) };
    } else {
      if (kind === this.nodes) {
        this.readings += 1;
        this.onReading(this);
      }
      for (const id of kind.keys()) yield rowOf(id);
    }
  }
  async read(text: string, params?: Readonly<Record<string, unknown>>): Promise<readonly RawRow[]> {
    return Array.fromAsync(this.stream(text, params));
  }
  session(): Session {
    const tx = { run: () => this.locked(), rollback: async () => undefined };
    return { beginTransaction: async () => tx, close: async () => undefined } as unknown as Session; // all that is used
  }
  write = (): Promise<never> => Promise.reject(new Error("a backup writes nothing"));
  close = async (): Promise<void> => undefined;
}

const storeOf = (values: Readonly<Record<string, number>>): Store => {
  const store = new Store();
  for (const [id, value] of Object.entries(values)) store.nodes.set(id, value);
  return store;
};

/** Copies the store. @returns the values of the copy that counts, by nodes, and by `start-end` of relationships */
const copy = async (
  store: Store,
): Promise<{ readonly copied: Snapshot["copied"]; readonly values: object }> => {
  const lines: object[] = [];
  const write = async (line: object): Promise<void> => void lines.push(line);
  const parts = { database: store, hashes: new Map(), write, now: () => new Date(0), holdMs: 500 };
  const { copied } = await copyUnit(parts, unit, project);
  const from = lines.findIndex((line) => "attempt" in line && line.attempt === copied.attempt);
  const values = lines.slice(from + 1).map((line) => {
    const { n, r } = line as {
      readonly n?: readonly [string, unknown, { value: number }];
      readonly r?: readonly [string, string, string, { value: number }];
    };
    return n === undefined ? [`${r?.[0]}-${r?.[1]}`, r?.[3].value] : [n[0], n[2].value];
  });
  expect(new Set(values.map(([id]) => id)).size).toBe(values.length);
  return { copied, values: Object.fromEntries(values) as object };
};

describe("a copy of a project", () => {
  it("holds nobody when two readings find the same", async () => {
    const store = storeOf({ a: 1, b: 2 });
    store.relationships.set("1", ["a", "b", 3]);
    const { copied, values } = await copy(store);
    expect(values).toEqual({ a: 1, b: 2, "a-b": 3 });
    expect(copied).toMatchObject({ nodes: 2, relationships: 1, attempt: 0, held_ms: 0, loose: 0 });
    expect(copied.consistent_at).toBeDefined();
    expect(store.moments).toBe(0);
  });

  it("has what changes with every reading as it was at the moment", async () => {
    const store = storeOf({ a: 1, hot: 0 });
    store.onReading = ({ nodes, readings }) => void nodes.set("hot", readings);
    const { copied, values } = await copy(store);
    expect(copied).toMatchObject({ attempt: 1, nodes: 2 });
    expect(copied.consistent_at).toBeDefined();
    // Two readings came before the moment, and one after it.
    expect(values).toEqual({ a: 1, hot: 2 });
  });

  it("has what was made before the moment, and nothing that was made after it or is gone", async () => {
    const store = storeOf({ a: 1, hot: 0, gone: 5 });
    store.onReading = ({ nodes, relationships, readings }) => {
      nodes.set("hot", readings);
      nodes.set(`new-${readings}`, readings);
      relationships.set(String(readings), ["a", `new-${readings}`, readings]);
      if (readings === 2) nodes.delete("gone");
    };
    const { values } = await copy(store);
    expect(values).toEqual({ a: 1, hot: 2, "new-1": 1, "new-2": 2, "a-new-1": 1, "a-new-2": 2 });
  });

  it("is made again when something else changes than before", async () => {
    const store = storeOf({ a: 1, b: 1, hot: 0 });
    store.onReading = ({ nodes, readings }) => {
      nodes.set("hot", readings);
      if (readings === 3) nodes.set("b", 7);
    };
    const { copied, values } = await copy(store);
    expect(copied.attempt).toBe(2);
    expect(values).toEqual({ a: 1, b: 7, hot: 3 });
  });

  it("is of no moment when something else changes every time", async () => {
    const store = storeOf(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`n${index}`, 0])));
    store.onReading = ({ nodes, readings }) => void nodes.set(`n${readings}`, 1);
    const { copied } = await copy(store);
    expect(copied.consistent_at).toBeUndefined();
    expect(store.readings).toBe(13);
  });

  it("gives up a moment for which writers would have to wait longer", async () => {
    const store = storeOf({ hot: 0 });
    store.onReading = ({ nodes, readings }) => void nodes.set("hot", readings);
    let locks = 0;
    store.locked = () => ((locks += 1) === 1 ? new Promise(() => undefined) : Promise.resolve());
    const began = performance.now();
    const { copied } = await copy(store);
    expect(copied.attempt).toBe(1);
    expect(store.terminated).toBe(1);
    expect(performance.now() - began).toBeGreaterThanOrEqual(295);
  });
});

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
  /** Nodes that say when they were written. */
  readonly stamps = new Map<string, string>();
  /** Readings of all nodes so far, and moments. */
  readings = 0;
  moments = 0;
  terminated = 0;
  /** Called when a reading of all nodes begins. */
  onReading: (store: Store) => void = () => undefined;
  /** What takes locks waits for it. */
  locked: () => Promise<void> = async () => undefined;

  write = (): Promise<never> => Promise.reject(new Error("a backup writes nothing"));
  close = async (): Promise<void> => undefined;

  #node = (id: string): RawRow => ({
    e: `4:x:${id}`,
    l: ["X"],
    p: { value: this.nodes.get(id), ...(this.stamps.has(id) ? { update_time: this.stamps.get(id) } : {}) },
  });
  #relationship = (id: string): RawRow => {
    const [start, end, value] = this.relationships.get(id) ?? ["", "", 0];
    return { e: `5:x:${id}`, s: `4:x:${start}`, t: `4:x:${end}`, y: "KNOWS", p: { value } };
  };

  *#found(text: string, ids: readonly bigint[] | undefined): Generator<RawRow> {
    if (text.startsWith("SHOW TRANSACTIONS")) this.terminated += 1;
    else if (ids !== undefined) for (const id of ids) yield this.#node(String(id));
    else if (text.includes("collect([id(r)"))
      yield {
        found: [...this.relationships].map(([id, [start, end, value]]) => [
          ...[BigInt(id), BigInt(start), BigInt(end), "KNOWS"],
          { value },
        ]),
      };
    else if (text.includes("collect(")) {
      this.moments += 1;
      yield { found: [...this.nodes.keys()].map((id) => [BigInt(id), this.stamps.get(id)]) };
    } else if (text.includes("[r]")) for (const id of this.relationships.keys()) yield this.#relationship(id);
    else {
      this.readings += 1;
      this.onReading(this);
      for (const id of this.nodes.keys()) yield this.#node(id);
    }
  }
  async *stream(text: string, params: Readonly<Record<string, unknown>> = {}): AsyncGenerator<RawRow> {
    yield* this.#found(text, params["ids"] as readonly bigint[] | undefined);
  }
  async read(text: string, params?: Readonly<Record<string, unknown>>): Promise<readonly RawRow[]> {
    return Array.fromAsync(this.stream(text, params));
  }
  session(): Session {
    const tx = { run: () => this.locked(), rollback: async () => undefined };
    return { beginTransaction: async () => tx, close: async () => undefined } as unknown as Session; // all that is used
  }
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

/** Numbers of nodes: one that stays, one that is written whenever it is read, and others. */
const [stays, hot, other] = ["1", "2", "3"];

describe("a copy of a project", () => {
  it("holds no writer when two readings find the same", async () => {
    const store = storeOf({ 1: 1, 2: 2 });
    store.relationships.set("1", ["1", "2", 3]);
    const { copied, values } = await copy(store);
    expect(values).toEqual({ 1: 1, 2: 2, "1-2": 3 });
    expect(copied).toMatchObject({ nodes: 2, relationships: 1, attempt: 0, held_ms: 0, loose: 0 });
    expect(copied.consistent_at).toBeDefined();
    expect(store.moments).toBe(0);
  });

  it("has what changes with every reading as it was at the moment", async () => {
    const store = storeOf({ [stays]: 1, [hot]: 0 });
    store.relationships.set("9", [stays, hot, 0]);
    store.onReading = ({ nodes, relationships, readings }) => {
      nodes.set(hot, readings);
      relationships.set("9", [stays, hot, readings]);
    };
    const { copied, values } = await copy(store);
    expect(copied.consistent_at).toBeDefined();
    // One that does not say when it was written is known to change after the first moment.
    expect(copied).toMatchObject({ attempt: 2, nodes: 2 });
    expect(values).toEqual({ [stays]: 1, [hot]: 3, "1-2": 3 });
  });

  it("has what was made before the moment, and nothing that was made after it or is gone", async () => {
    const store = storeOf({ [stays]: 1, [other]: 5 });
    store.onReading = ({ nodes, relationships, readings }) => {
      nodes.set(`${10 + readings}`, readings);
      relationships.set(String(readings), [stays, `${10 + readings}`, readings]);
      if (readings === 2) nodes.delete(other);
    };
    const { values } = await copy(store);
    expect(values).toEqual({ [stays]: 1, 11: 1, 12: 2, "1-11": 1, "1-12": 2 });
  });

  it("has nodes that are written, or removed, after the moment as they were before", async () => {
    const nodes = Array.from({ length: 40 }, (_, index) => String(index));
    const store = storeOf(Object.fromEntries(nodes.map((id) => [id, 0])));
    for (const id of nodes) store.stamps.set(id, "at first");
    // Each reading finds three others that were written, and one that is gone.
    store.onReading = ({ nodes: values, stamps, readings }) => {
      for (const id of nodes.slice(readings * 4, readings * 4 + 3)) {
        values.set(id, readings);
        stamps.set(id, `reading ${readings}`);
      }
      values.delete(String(readings * 4 + 3));
    };
    const { copied, values } = await copy(store);
    expect(copied).toMatchObject({ attempt: 1, nodes: 38 });
    expect(copied.consistent_at).toBeDefined();
    const at = (id: number): number => (id >= 4 && id < 12 ? Math.floor(id / 4) : 0);
    const left = nodes.map(Number).filter((id) => id !== 7 && id !== 11);
    expect(values).toEqual(Object.fromEntries(left.map((id) => [id, at(id)])));
  });

  it("is of no moment when something that says nothing of it changes every time", async () => {
    const store = storeOf(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index, 0])));
    store.onReading = ({ nodes, readings }) => void nodes.set(`${readings}`, 1);
    const { copied } = await copy(store);
    expect(copied.consistent_at).toBeUndefined();
    expect(store.readings).toBe(13);
  });

  it("gives up a moment for which writers would have to wait longer", async () => {
    const store = storeOf({ [stays]: 0 });
    store.onReading = ({ nodes, readings }) => void nodes.set(`${10 + readings}`, readings);
    let locks = 0;
    store.locked = () => ((locks += 1) === 1 ? new Promise(() => undefined) : Promise.resolve());
    const began = performance.now();
    const { copied } = await copy(store);
    expect(copied.attempt).toBe(1);
    expect(store.terminated).toBe(1);
    expect(performance.now() - began).toBeGreaterThanOrEqual(295);
  });
});

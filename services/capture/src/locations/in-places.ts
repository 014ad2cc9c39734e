import { Problem } from "@ikg/contracts";
import type { Graph, Transaction } from "@ikg/graph";
import type { Project } from "../projects.ts";
import { refuse } from "../refusals.ts";
import { partOf } from "./constituent.ts";
import { inOneTransaction, type Request } from "../transaction.ts";

/** An item with its place in the request. */
export interface Placed<Item> {
  readonly item: Item;
  readonly at: number;
}

/** A batch whose items may belong to several databases. */
export interface Spread<Item, Result> {
  readonly items: readonly Item[];
  /** The constituent of an item; undefined for the default database. */
  readonly constituentOf: (item: Item) => string | undefined;
  /** Why items of one database cannot be written; when there are several databases, all are checked first. */
  readonly refusals?:
    | ((tx: Transaction, items: readonly Placed<Item>[]) => Promise<readonly string[]>)
    | undefined;
  /** Added after such refusals. */
  readonly hint?: string;
  /** Carries out the items of one database; one result for each. May run several times. */
  readonly work: (tx: Transaction, items: readonly Placed<Item>[]) => Promise<readonly Result[]>;
  /** Writes proxies of the items elsewhere to the default database. */
  readonly mirror?: (tx: Transaction, items: readonly Done<Item, Result>[]) => Promise<unknown>;
}

type Done<Item, Result> = Placed<Item> & { readonly result: Result };

/** The items with their results, in the order of both. */
const done = <Item, Result>(
  placed: readonly Placed<Item>[],
  results: readonly Result[],
): readonly Done<Item, Result>[] =>
  // One result for each item.
  placed.map((each, index) => ({ ...each, result: results[index] as Result }));

/**
 * Carries out a batch, one transaction for each database that it concerns: constituents first, the default database with
 * its proxies last, so that a proxy always stands for a node.
 *
 * @returns the results in the order of the items.
 * @throws Problem `partly_written` (500) when a database failed after another one was written; repeating the batch
 *   completes it. As `inOneTransaction` while nothing is written.
 */
export const inPlaces = async <Item, Result>(
  graph: Graph,
  project: Project,
  request: Request,
  { items, constituentOf, refusals, hint, work, mirror }: Spread<Item, Result>,
): Promise<readonly Result[]> => {
  const transact = <T>(
    constituent: string | undefined,
    carryOut: (tx: Transaction) => Promise<T>,
  ): Promise<T> => inOneTransaction(graph, project, request, carryOut, partOf(constituent));
  const places = Map.groupBy(
    items.map((item, at): Placed<Item> => ({ item, at })),
    ({ item }) => constituentOf(item),
  );
  if (refusals !== undefined && places.size > 1) {
    const found = [...places].map(([constituent, placed]) =>
      transact(constituent, (tx) => refusals(tx, placed)),
    );
    refuse((await Promise.all(found)).flat(), hint);
  }
  const here = places.get(undefined) ?? [];
  places.delete(undefined);
  const elsewhere: Done<Item, Result>[] = [];
  try {
    for (const [constituent, placed] of places)
      elsewhere.push(...done(placed, await transact(constituent, (tx) => work(tx, placed))));
    if (here.length === 0 && (mirror === undefined || elsewhere.length === 0)) return inOrder(elsewhere);
    const results = await transact(undefined, async (tx) => {
      const found = here.length === 0 ? [] : await work(tx, here);
      if (elsewhere.length > 0) await mirror?.(tx, elsewhere);
      return found;
    });
    return elsewhere.length === 0 ? results : inOrder([...elsewhere, ...done(here, results)]);
  } catch (cause) {
    throw elsewhere.length > 0 ? new Problem("partly_written", { cause }) : cause;
  }
};

const inOrder = <Item, Result>(items: readonly Done<Item, Result>[]): readonly Result[] =>
  items.toSorted((a, b) => a.at - b.at).map(({ result }) => result);

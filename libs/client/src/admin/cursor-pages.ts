import { IkgUnreachable } from "../errors/ikg-unreachable.ts";
import { Pages } from "../pages.ts";
import type { CallOptions } from "../transport/options.ts";
import type { QueryValues } from "../transport/request.ts";
import { requireList } from "../transport/require-list.ts";
import type { Transport } from "../transport/transport.ts";
import { callAdmin } from "./admin-transport.ts";

export interface CursorPage<Item> {
  readonly items: readonly Item[];
  /** Continues after this page, also in a later run; undefined on the last one. */
  readonly cursor: string | undefined;
}

export interface CursorOptions extends CallOptions {
  /** Begins after the page of this cursor. */
  readonly cursor?: string | undefined;
  /** Items of one request: 50 at most, of the graph 500. */
  readonly pageSize?: number | undefined;
}

interface Body<Item> {
  readonly items: Item[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/**
 * A list that comes in pages with cursors.
 *
 * @param sizeName of the query parameter that says how many items a page has.
 */
export const cursorPages = <Item>(
  transport: Transport,
  path: () => Promise<string>,
  query: QueryValues | (() => Promise<QueryValues>),
  { cursor: first, pageSize, signal, timeoutMs }: CursorOptions,
  sizeName = "pagesize",
): Pages<Item, CursorPage<Item>> =>
  new Pages(async function* pages() {
    const address = await path();
    const fixed = typeof query === "function" ? await query() : query;
    let cursor = first;
    do {
      const call = { path: address, query: { ...fixed, cursor, [sizeName]: pageSize }, signal, timeoutMs };
      const { items, has_more, next_cursor } = (await callAdmin<Body<Item>>(transport, call)).body;
      requireList(items, "items");
      if (has_more && next_cursor === cursor)
        throw new IkgUnreachable("invalid_response", "the next cursor of the list repeats the current one");
      cursor = has_more ? next_cursor : undefined;
      yield { items, cursor };
    } while (cursor !== undefined);
  });

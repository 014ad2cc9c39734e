/** A result that comes in pages: `for await` over its items, or over its pages. */
export class Pages<Item, Page extends { readonly items: readonly Item[] }> implements AsyncIterable<Item> {
  readonly #read: () => AsyncGenerator<Page, void, undefined>;

  /** @param read starts again at the first page each time. */
  constructor(read: () => AsyncGenerator<Page, void, undefined>) {
    this.#read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.#read()) yield* items;
  }

  /** The pages as they are requested: none before it is wanted. */
  pages(): AsyncGenerator<Page, void, undefined> {
    return this.#read();
  }

  /** All items. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of this.#read()) items.push(...page.items);
    return items;
  }
}

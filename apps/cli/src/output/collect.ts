/** All items, where the platform's `Array.fromAsync` is not there (Node 20). */
export const collect = async <Item>(items: Iterable<Item> | AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

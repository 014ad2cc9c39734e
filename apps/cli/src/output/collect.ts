/** Collects all items; Node 20 has no `Array.fromAsync`. */
export const collect = async <Item>(items: Iterable<Item> | AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

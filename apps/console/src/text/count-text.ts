/** As "1 node" or "1,200 nodes". */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;

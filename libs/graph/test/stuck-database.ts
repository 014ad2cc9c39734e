/** A database for tests of rows that are joined, some of which take too long. */
import { StatementTimeout } from "../src/errors.ts";
import { coalesce } from "../src/statements/coalesce.ts";
import type { SendRows } from "../src/statements/coalesce-lane.ts";

/** Lets time pass, and then what was due at its end: on a busy machine a timer can come before it. */
export const turn = (ms = 5) =>
  new Promise((resolve) => setTimeout(() => setImmediate(() => setImmediate(resolve)), ms));

/** A database that never answers a statement with such a row, and all others at once. */
export const stuck = (isSlow: (n: number) => boolean) => {
  let running = 0;
  const seen = { most: 0, sizes: [] as number[] };
  const send: SendRows = async (_text, rows, { runMs, timeoutMs, signal }) => {
    // At the time of its turn, as a statement that had to wait for it.
    await turn(0);
    const limit = Math.min(timeoutMs, runMs());
    seen.sizes.push(rows.length);
    seen.most = Math.max(seen.most, ++running);
    try {
      if (rows.some((row) => isSlow(Number(row["n"]))))
        await new Promise((_, reject) => {
          const timer = setTimeout(() => reject(new StatementTimeout(limit)), limit);
          signal?.addEventListener("abort", () => {
            clearTimeout(timer);
            reject(signal.reason);
          });
        });
      return rows.map((row) => ({ i: row["i"], n: row["n"] }));
    } finally {
      running -= 1;
    }
  };
  return { seen, readRow: coalesce(send) };
};

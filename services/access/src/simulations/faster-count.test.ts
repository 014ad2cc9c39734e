import { describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { DataFault, StatementTimeout } from "@ikg/graph";
import { type CountPairs, fasterCount } from "./faster-count.ts";

/** A clock that goes on while pairs are counted. */
let clock = 0;
const now = (): number => clock;

const options = { timeoutMs: 5_000 };
const subjects = Array.from({ length: 500 }, (_, index) => `subject-${index}`);

interface Way {
  readonly count: CountPairs;
  readonly sizes: number[];
  readonly limits: number[];
}

/** One pair for each subject after some time; `fail` throws instead. */
const way = (msPerSubject: number, fail?: (call: number) => Error | undefined): Way => {
  const [sizes, limits]: [number[], number[]] = [[], []];
  const count: CountPairs = (batch, { timeoutMs }) => {
    sizes.push(batch.length);
    limits.push(timeoutMs);
    const failure = fail?.(sizes.length);
    if (failure !== undefined) return Promise.reject(failure);
    clock += batch.length * msPerSubject;
    return Promise.resolve(new Map(batch.map((subject) => [subject, 1])));
  };
  return { count, sizes, limits };
};

/** Pages of a whole run. @returns how many subjects each of them counted */
const pages = async (count: CountPairs, number = 3): Promise<readonly number[]> => {
  const found: number[] = [];
  for (let page = 0; page < number; page++) found.push((await count(subjects, options)).size);
  return found;
};

describe("two ways of counting pairs", () => {
  it("go on by the faster one, which is tried with few subjects and a limit of its own", async () => {
    const [usual, other] = [way(1), way(0.1)];
    expect(await pages(fasterCount(usual.count, other.count, now))).toEqual([500, 500, 500]);
    expect(usual.sizes).toEqual([500, 64]);
    expect(other.sizes).toEqual([64, 64, 500, 500]);
    expect(other.limits.slice(0, 2).every((limit) => limit < options.timeoutMs)).toBe(true);
  });

  it("stay with the usual one where the other is no faster", async () => {
    const [usual, other] = [way(0.2), way(1)];
    expect(await pages(fasterCount(usual.count, other.count, now))).toEqual([500, 500, 500]);
    expect(usual.sizes).toEqual([500, 64, 500, 500]);
    expect(other.sizes).toEqual([64, 64]);
  });

  it.each([
    ["takes too long", new StatementTimeout(250)],
    ["waits too long for its turn", new Problem("unavailable")],
    ["cannot be evaluated", new DataFault(new Error("a number is expected"))],
  ])("stay with the usual one where the other %s", async (_name, failure) => {
    const [usual, other] = [way(0.2), way(0, () => failure)];
    expect(await pages(fasterCount(usual.count, other.count, now))).toEqual([500, 500, 500]);
    expect(other.sizes).toEqual([64]);
  });

  it("do not hide a failure of the database", async () => {
    const other = way(0, () => new Error("no connection"));
    await expect(pages(fasterCount(way(0.2).count, other.count, now))).rejects.toThrow("no connection");
  });

  it("are not compared by a page that takes no time", async () => {
    const [usual, other] = [way(0), way(0)];
    await pages(fasterCount(usual.count, other.count, now));
    expect(other.sizes).toEqual([]);
  });

  it("count a page the usual way that the faster one cannot be evaluated for", async () => {
    const usual = way(1);
    const other = way(0, (call) =>
      call === 4 ? new DataFault(new Error("a number is expected")) : undefined,
    );
    expect(await pages(fasterCount(usual.count, other.count, now))).toEqual([500, 500, 500]);
    expect(usual.sizes).toEqual([500, 64, 500]);
    expect(other.sizes).toEqual([64, 64, 500, 500]);
  });
});

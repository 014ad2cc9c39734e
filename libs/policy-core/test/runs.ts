/** How much the generated tests do: `npm run fuzz -- --runs N --seed S` sets it; without, what each test says itself. */

const whole = (name: string): number | undefined => {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} is not a whole number: ${text}`);
  return value;
};

/** Of the cases of the long run, every third one is enough for `npm test`, which draws others each time. */
const shortShare = 1 / 3;

/**
 * Cases to run, or as many as `IKG_FUZZ_RUNS` says.
 *
 * @param longCount in the long run
 * @param shortCount in `npm test`
 */
export const runs = (longCount: number, shortCount = Math.ceil(longCount * shortShare)): number =>
  whole("IKG_FUZZ_RUNS") ?? (isLong() ? longCount : shortCount);

/** True in `npm run fuzz`, where a person waits and wants to see how far it is. */
export const isFuzzing = (): boolean => whole("IKG_FUZZ_RUNS") !== undefined;

/**
 * True in `npm run test:long`, where what takes its time is done whole. Read here, since `npm run mutation` runs tests of this
 * package in a folder that has no other helpers of tests.
 */
export const isLong = (): boolean => process.env["IKG_LONG"] === "1";

/** Cases of a table for the long run alone: other forms, values and places of what the other cases of the table show. */
export const inLongRun = <T>(cases: readonly T[]): readonly T[] => (isLong() ? cases : []);

/** The time limit of a test that draws cases: as long as it takes when a person asked for that many. */
export const timeLimit = (defaultMs: number): number => (isFuzzing() || isLong() ? 2 ** 31 - 1 : defaultMs);

/** Where the generators begin: `npm test` draws and prints a new seed for every run; without a runner it is always the same. */
export const seed = (): number => whole("IKG_FUZZ_SEED") ?? 1;

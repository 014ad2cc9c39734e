/** How much the generated tests do: `npm run fuzz -- --runs N --seed S` sets it; without, what each test says itself. */

const whole = (name: string): number | undefined => {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} is not a whole number: ${text}`);
  return value;
};

/** Cases to run. `IKG_FUZZ_RUNS` wins over what a test does in `npm test`. */
export const runs = (defaultCount: number): number => whole("IKG_FUZZ_RUNS") ?? defaultCount;

/** True in `npm run fuzz`, where a person waits and wants to see how far it is. */
export const isFuzzing = (): boolean => whole("IKG_FUZZ_RUNS") !== undefined;

/** True in `npm run test:long`, where what takes its time is done whole. */
export const isLong = (): boolean => process.env["IKG_LONG"] === "1";

/** The time limit of a test that draws cases: as long as it takes when a person asked for that many. */
export const timeLimit = (defaultMs: number): number => (isFuzzing() || isLong() ? 2 ** 31 - 1 : defaultMs);

/** Where the generators begin: `npm test` draws and prints a new seed for every run; without a runner it is always the same. */
export const seed = (): number => whole("IKG_FUZZ_SEED") ?? 1;

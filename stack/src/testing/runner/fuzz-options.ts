/** Options of `npm run fuzz`. */
import { UserError } from "../../../launch/user-error.mjs";
import { parseSwitches, takeValue } from "../../options.ts";

export interface FuzzOptions {
  /** cases that each generated test draws */
  readonly runs: number;
  readonly seed: number;
}

const defaultRuns = 20_000;
/** Seeds are 32-bit integers with sign. */
const largestSeed = 2 ** 31 - 1;

const whole = (name: string, text: string, least: number, most: number): number => {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new UserError(`--${name} takes a whole number from ${least} to ${most}, not ${text}.`);
  return value;
};

/**
 * @param newSeed draws one where none is given
 * @returns undefined when help is wanted
 * @throws UserError naming what is wrong with the arguments
 */
export const readFuzzOptions = (args: readonly string[], newSeed: () => number): FuzzOptions | undefined => {
  const runs = takeValue(args, "runs");
  const seed = takeValue(runs.rest, "seed");
  for (const name of ["runs", "seed"])
    if (seed.rest.includes(`--${name}`)) throw new UserError(`--${name} is given twice.`);
  const switches = [
    { name: "runs", meaning: "" },
    { name: "seed", meaning: "" },
    { name: "help", meaning: "" },
  ];
  if (parseSwitches(seed.rest, switches).has("help")) return undefined;
  return {
    runs: runs.value === undefined ? defaultRuns : whole("runs", runs.value, 1, 1_000_000_000),
    seed: seed.value === undefined ? newSeed() : whole("seed", seed.value, -largestSeed - 1, largestSeed),
  };
};

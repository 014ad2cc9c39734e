/** From text to statements: what a cache miss costs. */
import { compilePolicy } from "@ikg/policy-core";
import { trialStatements } from "@ikg/policy-core/statements";
import { median } from "../../../stack/src/measurement/statistics.ts";
import { longText, type Texts } from "./texts.ts";
import { timeOf } from "./time.ts";

/** Everything that is printed of a policy before it serves its first request. */
export const compileAll = (text: string): readonly string[] => {
  const checked = compilePolicy(text);
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return trialStatements(checked.value);
};

export interface CompileFigures {
  readonly policies: number;
  /** milliseconds, median over the policies */
  readonly median: number;
  /** milliseconds for `JSON.parse` of the same texts, median */
  readonly baseline: number;
  /** milliseconds by length of the cypher */
  readonly long: readonly { readonly length: number; readonly ms: number }[];
}

export const measureCompile = ({ policies }: Texts): CompileFigures => {
  const good = policies.filter((text) => compilePolicy(text).ok);
  // Everything once, so that the engine has seen all of the code before the first figure.
  for (let round = 0; round < 20; round++) for (const text of good) compileAll(text);
  const times = good.map((text) => timeOf(() => compileAll(text), 10, 3));
  const parses = good.map((text) => timeOf(() => JSON.parse(text) as unknown, 2, 3));
  const long = [5_000, 10_000, 20_000].map((length) => {
    const text = longText(length);
    return { length, ms: timeOf(() => compilePolicy(text), 100, 5) };
  });
  return { policies: good.length, median: median(times), baseline: median(parses), long };
};

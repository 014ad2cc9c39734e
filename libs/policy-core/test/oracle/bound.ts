import { bindValues, type BoundValues, type Inputs, type Needs } from "../../src/index.ts";
import type { InputsSpec } from "./model.ts";
import { plainOf } from "./store.ts";

type Platform = NonNullable<Inputs["platform"]>;

/** What a service hands to policy-core for one request. */
export const inputsOf = (given: InputsSpec, platform: Platform = {}, applicationId?: string): Inputs => ({
  inputParams: plainOf(given.params) as Inputs["inputParams"],
  token: plainOf(given.token) as Inputs["token"],
  request: plainOf(given.request) as Inputs["request"],
  platform,
  applicationId,
});

/** The values of several policies in one row. */
export const boundOf = (needs: readonly Needs[], inputs: Inputs): BoundValues => {
  const all = needs.map((each) => bindValues(each, inputs));
  const merged = (kind: "p" | "t" | "q" | "f") =>
    Object.assign({}, ...all.map((each) => each[kind])) as BoundValues["p"];
  const [first] = all;
  if (first === undefined) throw new Error("values of no policy");
  return { ...first, p: merged("p"), t: merged("t"), q: merged("q"), f: merged("f") };
};

import {
  bindValues,
  rowValues,
  type BoundValues,
  type Inputs,
  type RequiredInputs,
  type RowValues,
} from "../../src/index.ts";
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

/** The values of several policies together. */
export const boundOf = (needs: readonly RequiredInputs[], inputs: Inputs): BoundValues => {
  const all = needs.map((each) => bindValues(each, inputs));
  const merged = (kind: "parameters" | "token" | "request" | "platform") =>
    Object.assign({}, ...all.map((each) => each[kind])) as BoundValues["parameters"];
  const [first] = all;
  if (first === undefined) throw new Error("values of no policy");
  return {
    ...first,
    parameters: merged("parameters"),
    token: merged("token"),
    request: merged("request"),
    platform: merged("platform"),
  };
};

/** The same as one row of a statement. */
export const boundRowOf = (needs: readonly RequiredInputs[], inputs: Inputs): RowValues =>
  rowValues(boundOf(needs, inputs));

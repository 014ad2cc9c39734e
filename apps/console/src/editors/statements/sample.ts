import type { PreviewOptions } from "@ikg/client";
import { objectOf } from "../../text/json.ts";

/** Values with which a preview runs the statements that read. */
export type Sample = NonNullable<PreviewOptions["sample"]>;

/** A sample as it is typed. */
export interface SampleDraft {
  /** External ids; empty for none. */
  readonly subject: string;
  readonly resource: string;
  /** Objects of JSON; empty for none. */
  readonly params: string;
  readonly claims: string;
}

export const emptySample: SampleDraft = { subject: "", resource: "", params: "", claims: "" };

/** @returns undefined where nothing is typed: then the statements are planned, and not run. */
export const sampleOf = ({ subject, resource, params, claims }: SampleDraft): Sample | undefined => {
  const [inputParams, token] = [objectOf(params), objectOf(claims)];
  const sample: Sample = {
    ...(subject !== "" && { subject: { id: subject } }),
    ...(resource !== "" && { resource: { id: resource } }),
    ...(inputParams !== undefined && { input_params: inputParams }),
    ...(token !== undefined && { token }),
  };
  return Object.keys(sample).length === 0 ? undefined : sample;
};

import { EvaluationRequest, isJsonObject } from "@ikg/contracts";
import type { Evaluation } from "../decisions/decide.ts";
import { tokenOf } from "../decisions/token-of.ts";
import type { RecordedDecision } from "./read-record.ts";
import { claimsObject } from "./recorded-inputs.ts";

const contextOf = ({ inputs: { inputParams, inputs } }: RecordedDecision): unknown => {
  const { context } = inputs;
  // Of a wrong form: the entry was rejected for it, and is again.
  if (context !== undefined && !isJsonObject(context)) return context;
  return { ...context, ...(inputParams && { input_params: inputParams }) };
};

/**
 * The request as it was made, with the inputs that are known.
 *
 * @returns undefined for an entry of a batch that was rejected for its form.
 */
export const evaluationOf = (recorded: RecordedDecision): Evaluation | undefined => {
  const { subject, resource, action, inputs } = recorded;
  const parsed = EvaluationRequest.safeParse({
    subject: { ...subject, properties: inputs.inputs["subject"] },
    resource: { ...resource, properties: inputs.inputs["resource"] },
    action: { name: action, properties: inputs.inputs["action"] },
    context: contextOf(recorded),
  });
  if (!parsed.success) return undefined;
  const { claims, tokenSubject = "" } = inputs;
  const token = claims && { ...tokenOf(claimsObject(claims)), subject: tokenSubject };
  return { ...parsed.data, context: parsed.data.context, token };
};

import type { Token } from "@ikg/auth";
import type { StoredKbacPolicy } from "@ikg/catalog";
import type { SimulationInputs } from "@ikg/contracts";
import { type Question, selectTagged } from "../decisions/candidates.ts";
import type { Evaluation } from "../decisions/decide.ts";
import { tokenOf } from "../decisions/token-of.ts";
import type { AffectedQuestion } from "./questions.ts";

/** The token of one subject; no subject is signed in without `signed_in` and `token`. */
const tokenFor = ({ token, signed_in }: SimulationInputs, subject: string): Token | undefined => {
  if (signed_in === true) return tokenOf({ ...token, sub: subject });
  return token && tokenOf(token);
};

/** What one subject asks; which resource it asks about is open. */
export const questionOf = (
  { subjectType, action, resourceType }: AffectedQuestion,
  inputs: SimulationInputs,
  subject: string,
): Question & { readonly subject: { readonly id: string } } => {
  const { request, input_params } = inputs;
  return {
    subject: { type: subjectType, id: subject, properties: request?.subject },
    action: { name: action, properties: request?.action },
    resource: { type: resourceType, properties: request?.resource },
    context: { ...request?.context, ...(input_params && { input_params }) },
    token: tokenFor(inputs, subject),
  };
};

/** The same about one resource. */
export const evaluationOf = (
  question: AffectedQuestion,
  inputs: SimulationInputs,
  subject: string,
  resource: string,
): Evaluation => {
  const evaluation = questionOf(question, inputs, subject);
  return { ...evaluation, resource: { ...evaluation.resource, id: resource } };
};

/** Whether a token of another subject makes `3.0-kbac` policies refuse whole calls: what is unchanged then answers otherwise, too. */
export const canBeRefused = (question: AffectedQuestion, inputs: SimulationInputs): boolean => {
  if (inputs.token === undefined || inputs.signed_in === true) return false;
  const anySubject = questionOf(question, inputs, "");
  const refuses = (policies: readonly StoredKbacPolicy[]): boolean =>
    selectTagged(policies, anySubject).some(({ policy }) => policy.version === "3.0-kbac");
  return refuses(question.before) !== refuses(question.after);
};

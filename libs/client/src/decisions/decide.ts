import type { DataPlane } from "../data-plane.ts";
import type { Action, Decision, Entity } from "../contract/wire.ts";
import { askOne } from "./ask.ts";
import { actionOf, contextOf, type DecideOptions, type Question } from "./question.ts";

/** Decides one question: in the request of its turn, or alone. */
export const decide = async (
  { transport, joiner, join, bearer, session }: DataPlane,
  subject: Entity,
  action: string | Action,
  resource: Entity,
  options: DecideOptions = {},
): Promise<Decision> => {
  const question: Question = { subject, action: actionOf(action), resource, ...contextOf(options) };
  // What JSON cannot express fails here, for its own caller alone.
  const text = JSON.stringify(question);
  const common = { bearer, consistencyToken: session?.token, explain: options.explain === true };
  return (options.join ?? join)
    ? joiner.decide(text, common, options)
    : askOne(transport, text, common, options);
};

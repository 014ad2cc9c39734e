import { isObject, objectOf, textOf, typeOf } from "../../../text/json.ts";

/** A policy of decisions, as far as it is shown; a draft may be anything. */
export interface ShownPolicy {
  readonly subject: string;
  readonly actions: readonly string[];
  readonly resource: string;
  readonly cypher: string;
  /** The other members of the condition, by name. */
  readonly others: readonly (readonly [name: string, value: unknown])[];
}

/** @returns undefined for a text that is not a policy. */
export const shownPolicy = (text: string): ShownPolicy | undefined => {
  const policy = objectOf(text);
  if (policy === undefined) return undefined;
  const { subject, actions, resource, condition } = policy;
  const { cypher, ...others } = isObject(condition) ? condition : {};
  return {
    subject: typeOf(subject),
    actions: Array.isArray(actions) ? actions.map(textOf) : [],
    resource: typeOf(resource),
    cypher: textOf(cypher),
    others: Object.entries(others),
  };
};

import { keyField, type ProjectKey } from "@ikg/physical";
import type { Expression } from "../cypher/ast.ts";
import { printTree } from "../cypher/printer.ts";
import type { KbacPolicy } from "../policy/kbac.ts";
import { compareBy, property, variable, yes } from "../rewrite/build.ts";
import type { RewriteOptions } from "../rewrite/rewrite.ts";
import { rowOf, type ValueForm } from "../rewrite/values.ts";
import { requestKeys } from "../values/row-keys.ts";

/** The two nodes that a KBAC policy is about. */
export type DecisionParty = "subject" | "resource";

export const decisionParties: readonly DecisionParty[] = ["subject", "resource"];

/** What a service may switch on for the policies of a statement. */
export interface DecisionOptions {
  /** `KBAC2_REQUIRE_IDENTITY`: the subject of a `2.0-kbac` policy must be an identity node. */
  readonly requireIdentity?: boolean;
}

export const typeOf = (policy: KbacPolicy, end: DecisionParty): string =>
  end === "subject" ? policy.subjectType : policy.resourceType;

/** The whole key of an end, as the row of a request brings it. */
export const keyOfEnd = (end: DecisionParty, form: ValueForm): Expression =>
  property(rowOf(form), requestKeys[end]);

export const needsIdentity = (policy: KbacPolicy, { requireIdentity }: DecisionOptions): boolean =>
  requireIdentity === true && policy.version === "2.0-kbac";

/** `subject.is_identity = true`. */
export const subjectIsIdentity: string = printTree(
  compareBy(property(variable("subject"), "is_identity"), "=", yes),
);

/** The last guard before an answer: the ends are the nodes of the request. */
export const areEnds = (pinned: readonly DecisionParty[], form: ValueForm): string =>
  pinned
    .map((end) => printTree(compareBy(property(variable(end), keyField), "=", keyOfEnd(end, form))))
    .join(" AND ");

/** How the text of a policy is rewritten when `bound` are bound before it and `pinned` are pinned where it binds them. */
export const rewriteOptions = (
  policy: KbacPolicy,
  pk: ProjectKey,
  form: ValueForm,
  places: { readonly bound: readonly DecisionParty[]; readonly pinned: readonly DecisionParty[] },
  options: DecisionOptions,
): RewriteOptions => ({
  pk,
  form,
  bound: new Set(places.bound),
  types: new Map(decisionParties.map((end) => [end, typeOf(policy, end)])),
  keys: new Map(),
  pins: new Map(places.pinned.map((end) => [end, keyOfEnd(end, form)])),
  identity: needsIdentity(policy, options),
});

import { keyField, keyPrefix, type ProjectKey } from "@ikg/physical";
import type { Expression } from "../cypher/ast.ts";
import { printTree } from "../cypher/printer.ts";
import type { KbacPolicy } from "../policy/kbac.ts";
import { compareBy, operate, property, text, trueLiteral, variable } from "../rewrite/build.ts";
import type { RewriteOptions } from "../rewrite/rewrite.ts";
import { rowExpression, type RowSource } from "../rewrite/values.ts";
import { requestKeys } from "../values/row-keys.ts";

/** The two nodes that a KBAC policy is about. */
export type DecisionEnd = "subject" | "resource";

export const decisionEnds: readonly DecisionEnd[] = ["subject", "resource"];

/** Settings of a service that change what the policies of a statement grant. */
export interface DecisionSwitches {
  /** `KBAC2_REQUIRE_IDENTITY`: the subject of a `2.0-kbac` policy must be an identity node. */
  readonly requireIdentity?: boolean;
}

export const typeOf = (policy: KbacPolicy, end: DecisionEnd): string =>
  end === "subject" ? policy.subjectType : policy.resourceType;

/** The whole key of an end, as the row of a request brings it. */
export const keyOfEnd = (end: DecisionEnd, rowSource: RowSource): Expression =>
  property(rowExpression(rowSource), requestKeys[end]);

export const needsIdentity = (policy: KbacPolicy, { requireIdentity }: DecisionSwitches): boolean =>
  requireIdentity === true && policy.version === "2.0-kbac";

/** `subject.is_identity = true`. */
export const subjectIsIdentity: string = printTree(
  compareBy(property(variable("subject"), "is_identity"), "=", trueLiteral),
);

/** The last guard before an answer: the ends are the nodes of the request. */
export const areEnds = (pinned: readonly DecisionEnd[], rowSource: RowSource): string =>
  pinned
    .map((end) => printTree(compareBy(property(variable(end), keyField), "=", keyOfEnd(end, rowSource))))
    .join(" AND ");

/**
 * Tests that the node under a name is of a type. The label of the type is not enough: a node of another type may have it as an extra
 * label, and a question about the type and its id does not mean that node.
 */
export const typeTest = (name: string, type: string, pk: ProjectKey): Expression =>
  operate(property(variable(name), keyField), "STARTS WITH", text(keyPrefix(pk, type)));

/** How the text of a policy is rewritten when `bound` are bound before it and `pinned` are pinned where it binds them. */
export const rewriteOptions = (
  policy: KbacPolicy,
  pk: ProjectKey,
  rowSource: RowSource,
  bindings: { readonly bound: readonly DecisionEnd[]; readonly pinned: readonly DecisionEnd[] },
  switches: DecisionSwitches,
): RewriteOptions => ({
  pk,
  rowSource,
  bound: new Set(bindings.bound),
  types: new Map(decisionEnds.map((end) => [end, typeOf(policy, end)])),
  keys: new Map(),
  pins: new Map(bindings.pinned.map((end) => [end, keyOfEnd(end, rowSource)])),
  identity: needsIdentity(policy, switches),
});

import { filterPart } from "../explain/filter-part.ts";
import { compareOf } from "../filters/evaluate.ts";
import { type Filter, type Leaf, literalOf } from "../filters/filter.ts";
import { isOrdering, leafRules } from "../filters/leaf-operators.ts";
import type { Policy } from "../policy/compile.ts";
import { rowFilters, type KnowledgeQuery } from "../query/query.ts";
import { attributeKind } from "./attribute-kinds.ts";
import { aliasLabels } from "./context.ts";
import { contradictions } from "./contradictions.ts";
import type { Warning } from "./warning.ts";

const isAlwaysThere = ({ attribute }: Leaf, policy: Policy): boolean => {
  switch (attribute.kind) {
    case "reference": {
      const { reference } = attribute;
      // A parameter that is absent or null is refused before.
      return (
        reference.kind === "application" || (reference.kind === "parameter" && reference.path.length === 0)
      );
    }
    case "node-path": {
      const binding = policy.condition.analysis.bindings.get(attribute.path.alias);
      return attribute.path.kind === "system" && binding?.isFromPattern === true && !binding.isOptional;
    }
    default:
      return false;
  }
};

const typeReason = (leaf: Leaf, literal: unknown, policy: Policy): string | undefined => {
  const { attribute, operator } = leaf;
  if (attribute.kind !== "node-path" || attribute.path.kind !== "system" || attribute.path.field !== "type")
    return undefined;
  const label = aliasLabels(policy).get(attribute.path.alias);
  if (label === undefined) return undefined;
  return compareOf(operator)(label, literal) === true
    ? undefined
    : `${attribute.path.alias} is always of type ${label}`;
};

/** Why a leaf cannot be true, whatever request and graph hold; undefined when it can. */
const reasonOf = (leaf: Leaf, policy: Policy): string | undefined => {
  const { operator, attribute } = leaf;
  if (operator === "IS NULL") return isAlwaysThere(leaf, policy) ? "it is never absent" : undefined;
  if (attribute.kind === "reference" && attribute.reference.kind === "absent")
    return "there is no delegation token, so it is always absent";
  const literal = literalOf(leaf);
  // What is read as an instant is decided by its text, which is checked elsewhere.
  if (literal === undefined || leaf.compares === "instants") return undefined;
  if (Array.isArray(literal) && operator === "IN" && literal.length === 0)
    return "nothing is in an empty list";
  const kind = attributeKind(attribute);
  const textsOnly = leafRules[operator].textsOnly === true;
  if (typeof literal !== "string" && textsOnly) return `${operator} compares texts only`;
  if (kind === "number" && (textsOnly || operator === "CONTAINS")) return "a number is not a text";
  if (kind === "string" && operator === "CONTAINS" && typeof literal !== "string")
    return "a text contains only texts";
  if (kind !== undefined && (operator === "=" || isOrdering(operator)) && typeof literal !== kind)
    return `it is always a ${kind === "string" ? "text" : "number"}`;
  if (
    kind !== undefined &&
    operator === "IN" &&
    Array.isArray(literal) &&
    !literal.some((each) => typeof each === kind)
  )
    return `it is always a ${kind === "string" ? "text" : "number"}, and the list holds none`;
  return typeReason(leaf, literal, policy);
};

/** Leaves that must or may be true; under NOT a leaf that is never true may be intended. */
const positiveLeaves = (filter: Filter): readonly Leaf[] => {
  if (filter.kind === "leaf") return [filter];
  return filter.operator === "NOT" ? [] : filter.operands.flatMap(positiveLeaves);
};

/** Most characters of a value in a warning. */
const maxShown = 200;

const valueText = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}...` : text;
};

const leafText = (leaf: Leaf): string => {
  const { attribute, operator, value } = filterPart(leaf);
  return [String(attribute), operator, ...(value === undefined ? [] : [valueText(value)])].join(" ");
};

const neverTrue = (
  filters: readonly Filter[],
  policy: Policy,
  own: (leaf: Leaf) => boolean,
): readonly Warning[] => {
  const impossible = new Map<Leaf, string>();
  for (const leaf of filters.flatMap(positiveLeaves)) {
    const reason = reasonOf(leaf, policy);
    if (reason !== undefined) impossible.set(leaf, reason);
  }
  for (const [leaf, other] of contradictions(filters, (each) => !impossible.has(each))) {
    impossible.set(leaf, `it contradicts ${leafText(other)}`);
  }
  return [...impossible].flatMap(([leaf, reason]) =>
    own(leaf)
      ? [{ code: "filter-never-true", text: `${leafText(leaf)} is never true: ${reason}`, path: leaf.path }]
      : [],
  );
};

const filtersOf = (policy: Policy): readonly (readonly Filter[])[] =>
  (policy.kind === "kbac" ? [policy.filter] : [policy.filter, policy.tokenFilter]).map((resolved) =>
    resolved === undefined ? [] : [resolved.filter],
  );

/** Leaves of a policy's filters that no request makes true. */
export const neverTrueWarnings = (policy: Policy): readonly Warning[] =>
  filtersOf(policy).flatMap((filters) => neverTrue(filters, policy, () => true));

/** Leaves of a query's filter that no request makes true together with the filter of its policy. */
export const neverTrueOfQuery = (query: KnowledgeQuery): readonly Warning[] =>
  neverTrue(rowFilters(query), query.policy, (leaf) => leaf.path.startsWith("query."));

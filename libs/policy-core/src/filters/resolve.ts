import type { Binding } from "../bindings/kind.ts";
import type { Budget } from "../bounds/budget.ts";
import type { Faults } from "../json.ts";
import { aliasOf, isFault, isWildcard, readNodePath, readRelationshipPath } from "../paths/path.ts";
import { instantOf } from "../instants/instant.ts";
import { compilePattern } from "../regex/pattern.ts";
import { RequiredInputs, readReference, type Language } from "../values/reference.ts";
import { filterBounds, type FilterEnvironment } from "./filter-bounds.ts";
import type { Filter, Operand, RowPath, Scalar } from "./filter.ts";
import { isOrdering, leafRules } from "./leaf-operators.ts";
import type { RawFilter, RawInstant, RawLeaf } from "./read.ts";

/** The context of a filter: what its attributes may read. */
interface FilterContext {
  readonly language: Language;
  /** Names in scope after the pattern; undefined where a filter is evaluated without the graph. */
  readonly bindings: ReadonlyMap<string, Binding> | undefined;
}

/** A resolved filter and what it needs from the request. */
export interface ResolvedFilter {
  readonly filter: Filter;
  readonly needs: RequiredInputs;
}

const resolveRowPath = (
  text: string,
  path: string,
  context: FilterContext,
  faults: Faults,
): RowPath | undefined => {
  if (context.bindings === undefined) {
    faults.add(path, "a path of the graph cannot be read here; use $token.<claim> or $<name>");
    return undefined;
  }
  const alias = aliasOf(text);
  const binding = context.bindings.get(alias);
  if (binding === undefined) {
    faults.add(path, `"${alias.slice(0, 64)}" is not bound after the pattern`);
    return undefined;
  }
  if (binding.kind.kind === "node") {
    const found = readNodePath(text);
    if (isFault(found)) faults.add(path, found.fault);
    else if (found.kind !== "node" && !isWildcard(found)) return { kind: "node-path", path: found };
    else
      faults.add(path, "a filter reads one value: a property, its metadata, a system field or a trust score");
    return undefined;
  }
  if (binding.kind.kind === "relationship") {
    const found = readRelationshipPath(text);
    if (isFault(found)) faults.add(path, found.fault);
    else if (found.kind === "property") return { kind: "relationship-path", path: found };
    else faults.add(path, "a filter reads one value: a relationship property");
    return undefined;
  }
  if (text === alias && !binding.isFromPattern) return { kind: "aggregate", name: alias };
  faults.add(path, `"${alias.slice(0, 64)}" is not a node, relationship or value`);
  return undefined;
};

const resolveReference = (
  text: string,
  path: string,
  context: FilterContext,
  faults: Faults,
): Extract<Operand, { readonly kind: "reference" }> | undefined => {
  const reference = readReference(text, context.language);
  if (!("fault" in reference)) return { kind: "reference", reference };
  faults.add(path, reference.fault);
  return undefined;
};

const resolveInstant = (
  { text }: RawInstant,
  path: string,
  context: FilterContext,
  faults: Faults,
): Operand | undefined => {
  if (text.startsWith("$")) return resolveReference(text, `${path}.value`, context, faults);
  if (text.startsWith("@")) return resolveRowPath(text.slice(1), `${path}.value`, context, faults);
  if (instantOf(text) === null) {
    faults.add(`${path}.value`, "RFC 3339 text with an offset, $name or $token.<claim> expected");
  }
  return { kind: "literal", value: text };
};

const resolveAttribute = (leaf: RawLeaf, context: FilterContext, faults: Faults): Operand | undefined => {
  const path = `${leaf.path}.attribute`;
  const { attribute } = leaf;
  if (typeof attribute === "object") {
    if (context.bindings === undefined) return resolveInstant(attribute, path, context, faults);
    faults.add(path, "in a filter that reads the graph only the value may be a datetime");
    return undefined;
  }
  return attribute.startsWith("$")
    ? resolveReference(attribute, path, context, faults)
    : resolveRowPath(attribute, path, context, faults);
};

const resolveLiteral = (
  value: Scalar | readonly Scalar[],
  leaf: RawLeaf,
  path: string,
  faults: Faults,
): Operand => {
  if (isOrdering(leaf.operator) && typeof value === "boolean") faults.add(path, "booleans have no order");
  const list = Array.isArray(value) ? (value as readonly Scalar[]) : [value as Scalar]; // narrowed by isArray
  if (Array.isArray(value) && list.some((each) => typeof each === "string" && /^[$@]/.test(each))) {
    faults.add(path, "an array holds literals only");
  }
  if (leafRules[leaf.operator].parameterCheck === "pattern") {
    const pattern = typeof value === "string" ? compilePattern(value) : { fault: "string expected" };
    if ("fault" in pattern) faults.add(path, `not an accepted regular expression: ${pattern.fault}`);
  }
  if (typeof leaf.attribute === "object" && instantOf(value) === null) {
    faults.add(
      path,
      "RFC 3339 text with an offset or epoch seconds expected where the other side is a datetime",
    );
  }
  return { kind: "literal", value };
};

const isInstant = (value: RawLeaf["value"]): value is RawInstant =>
  typeof value === "object" && "kind" in value;

const resolveValue = (leaf: RawLeaf, context: FilterContext, faults: Faults): Operand | undefined => {
  const path = `${leaf.path}.value`;
  const { value } = leaf;
  if (value === undefined) return undefined;
  if (isInstant(value)) return resolveInstant(value, path, context, faults);
  if (typeof value === "string" && value.startsWith("@")) {
    if (leafRules[leaf.operator].parameterCheck !== "pattern")
      return resolveRowPath(value.slice(1), path, context, faults);
    // The pattern must be checked before the database sees it.
    faults.add(path, `${leaf.operator} takes a string, $name or $token.<claim>`);
    return undefined;
  }
  return typeof value === "string" && value.startsWith("$")
    ? resolveReference(value, path, context, faults)
    : resolveLiteral(value, leaf, path, faults);
};

const resolveLeaf = (
  raw: RawLeaf,
  context: FilterContext,
  needs: RequiredInputs,
  faults: Faults,
): Filter | undefined => {
  const attribute = resolveAttribute(raw, context, faults);
  const value = resolveValue(raw, context, faults);
  if (attribute === undefined || (raw.value !== undefined && value === undefined)) return undefined;
  const { path, operator, advice } = raw;
  const instants = typeof raw.attribute === "object" || isInstant(raw.value);
  const { parameterCheck, derivedForm: formOfOperator } = leafRules[operator];
  const derivedForm = instants ? "instant" : formOfOperator;
  if (attribute.kind === "reference") {
    needs.add(attribute.reference, "any", derivedForm === "pattern" ? undefined : derivedForm);
  }
  if (value?.kind === "reference") needs.add(value.reference, parameterCheck, derivedForm);
  return {
    kind: "leaf",
    path,
    operator,
    attribute,
    value,
    compares: instants ? "instants" : "values",
    advice,
  };
};

const resolve = (
  raw: RawFilter,
  context: FilterContext,
  needs: RequiredInputs,
  faults: Faults,
): Filter | undefined => {
  if (raw.kind === "leaf") return resolveLeaf(raw, context, needs, faults);
  const operands = raw.operands.flatMap((operand) => resolve(operand, context, needs, faults) ?? []);
  return { kind: "branch", path: raw.path, operator: raw.operator, operands, advice: raw.advice };
};

/** Refuses a filter that may need more than its budget, or limits the values of the requests that it reads. */
export const limitFilter = (
  resolved: ResolvedFilter | undefined,
  environment: FilterEnvironment,
  budget: Budget,
  faults: Faults,
): void => {
  if (resolved === undefined) return;
  const { excess, call } = filterBounds(resolved.filter, environment, budget);
  if (excess !== undefined) faults.add(excess.path, excess.fault);
  if (call !== undefined) resolved.needs.limit(call);
};

/** Resolves the texts of a filter in its context; faults for what may not be read there. */
export const resolveFilter = (
  raw: RawFilter | undefined,
  context: FilterContext,
  faults: Faults,
): ResolvedFilter | undefined => {
  if (raw === undefined) return undefined;
  const needs = new RequiredInputs();
  const filter = resolve(raw, context, needs, faults);
  return filter === undefined ? undefined : { filter, needs };
};

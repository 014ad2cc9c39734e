import type { Binding } from "../bindings/scope.ts";
import type { Faults } from "../checked.ts";
import { aliasOf, isFault, readNodePath, readRelationshipPath } from "../paths/path.ts";
import { Needs } from "../values/needs.ts";
import { readReference, type Language } from "../values/reference.ts";
import type { Attribute, Filter, FilterValue, LeafOperator, RowPath, Scalar } from "./filter.ts";
import type { RawFilter, RawLeaf } from "./read.ts";

/** Where a filter stands: what its attributes may read (policies specification 4.1). */
export interface FilterPlace {
  readonly language: Language;
  /** Names in scope after the pattern; undefined where a filter is evaluated without the graph. */
  readonly bindings: ReadonlyMap<string, Binding> | undefined;
}

/** A resolved filter and what it needs from the request. */
export interface ResolvedFilter {
  readonly filter: Filter;
  readonly needs: Needs;
}

const ordering: ReadonlySet<LeafOperator> = new Set([">", ">=", "<", "<="]);

const readRowPath = (text: string, path: string, place: FilterPlace, faults: Faults): RowPath | undefined => {
  if (place.bindings === undefined) {
    faults.add(path, "a path of the graph cannot be read here; use $token.<claim> or $<name>");
    return undefined;
  }
  const alias = aliasOf(text);
  const binding = place.bindings.get(alias);
  if (binding === undefined) {
    faults.add(path, `"${alias.slice(0, 64)}" is not bound after the pattern`);
    return undefined;
  }
  if (binding.kind.kind === "node") {
    const found = readNodePath(text);
    if (isFault(found)) faults.add(path, found.fault);
    else if (["system", "property", "metadata", "trust"].includes(found.kind))
      return { kind: "node-path", path: found };
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
  if (text === alias && !binding.pattern) return { kind: "aggregate", name: alias };
  faults.add(path, `"${alias.slice(0, 64)}" is no node, relationship or value`);
  return undefined;
};

const readAttribute = (leaf: RawLeaf, place: FilterPlace, faults: Faults): Attribute | undefined => {
  const path = `${leaf.path}.attribute`;
  if (!leaf.attribute.startsWith("$")) return readRowPath(leaf.attribute, path, place, faults);
  const reference = readReference(leaf.attribute, place.language);
  if ("fault" in reference) {
    faults.add(path, reference.fault);
    return undefined;
  }
  return { kind: "reference", reference };
};

const literal = (
  value: Scalar | readonly Scalar[],
  leaf: RawLeaf,
  path: string,
  faults: Faults,
): FilterValue => {
  if (ordering.has(leaf.operator) && typeof value === "boolean") faults.add(path, "booleans have no order");
  const list = Array.isArray(value) ? (value as readonly Scalar[]) : [value as Scalar]; // narrowed by isArray
  if (Array.isArray(value) && list.some((each) => typeof each === "string" && /^[$@]/.test(each))) {
    faults.add(path, "an array holds literals only");
  }
  return { kind: "literal", value };
};

const readValue = (leaf: RawLeaf, place: FilterPlace, faults: Faults): FilterValue | undefined => {
  const path = `${leaf.path}.value`;
  const { value } = leaf;
  if (value === undefined) return undefined;
  if (typeof value === "string" && value.startsWith("@"))
    return readRowPath(value.slice(1), path, place, faults);
  if (typeof value !== "string" || !value.startsWith("$")) return literal(value, leaf, path, faults);
  const reference = readReference(value, place.language);
  if ("fault" in reference) {
    faults.add(path, reference.fault);
    return undefined;
  }
  return { kind: "reference", reference };
};

const need = (needs: Needs, operand: Attribute | FilterValue | undefined, list: boolean): void => {
  if (operand?.kind === "reference") needs.add(operand.reference, list ? "array" : "any");
};

const resolve = (raw: RawFilter, place: FilterPlace, needs: Needs, faults: Faults): Filter | undefined => {
  if (raw.kind === "leaf") {
    const attribute = readAttribute(raw, place, faults);
    const value = readValue(raw, place, faults);
    if (attribute === undefined || (raw.value !== undefined && value === undefined)) return undefined;
    need(needs, attribute, false);
    need(needs, value, raw.operator === "IN");
    return { kind: "leaf", operator: raw.operator, attribute, value, advice: raw.advice };
  }
  const operands = raw.operands.flatMap((operand) => resolve(operand, place, needs, faults) ?? []);
  return { kind: "branch", operator: raw.operator, operands, advice: raw.advice };
};

/** Resolves the texts of a filter against the place where it stands; faults for what may not be read there. */
export const resolveFilter = (
  raw: RawFilter | undefined,
  place: FilterPlace,
  faults: Faults,
): ResolvedFilter | undefined => {
  if (raw === undefined) return undefined;
  const needs = new Needs();
  const filter = resolve(raw, place, needs, faults);
  return filter === undefined ? undefined : { filter, needs };
};

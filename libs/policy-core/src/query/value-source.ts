import { codePoints, toInstant, type Value, valueFault } from "@ikg/contracts/values";
import type { Faults } from "../json.ts";
import { maxExternalId, missingParameterText, type BoundValues } from "../values/bind.ts";
import { type RequiredInputs, readReference, referenceKey, type Reference } from "../values/reference.ts";

/** Places of a query that take a value, each with a rule of its own. */
export type ValueKind =
  | "value"
  | "external_id"
  | "external_value"
  | "verified_time"
  | "source"
  | "assurance_level";

/** Limits that capture has for the same texts, in code points. */
export const maxLengths = { external_id: maxExternalId, external_value: 254, source: 1_024 } as const;

const textFault = (value: unknown, min: number, max: number): string | undefined => {
  const expected = `string of ${min}-${max} characters expected`;
  if (typeof value !== "string" || value.length > 2 * max) return expected;
  const length = codePoints(value);
  return length < min || length > max ? expected : valueFault(value);
};

/** Why a value cannot stand where a value of this kind is needed; undefined when it can. */
const kindFault = (kind: ValueKind, value: unknown): string | undefined => {
  switch (kind) {
    case "value":
      return valueFault(value);
    case "external_id":
    case "external_value":
      return textFault(value, 1, maxLengths[kind]);
    case "source":
      return textFault(value, 0, maxLengths.source);
    case "verified_time":
      return typeof value === "string" && toInstant(value) !== undefined
        ? undefined
        : "RFC 3339 time with an offset expected";
    case "assurance_level":
      return Number.isSafeInteger(value) ? undefined : "integer expected";
  }
};

/** The value as it is stored; only for values without a fault. Times are brought to UTC, as capture does. */
const storedValue = (kind: ValueKind, value: unknown): Value =>
  kind === "verified_time" ? (toInstant(String(value)) ?? "") : (value as Value); // kindFault found nothing

/** A value that a query writes: fixed in its text, or a value of the request. */
export type ValueSource = { readonly path: string; readonly of: ValueKind } & (
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "reference"; readonly text: string; readonly reference: Reference }
);

const isReferenceText = (value: unknown): value is string => typeof value === "string" && /^[$@]/.test(value);

const readGivenReference = (
  text: string,
  path: string,
  of: ValueKind,
  faults: Faults,
): ValueSource | undefined => {
  if (text.startsWith("@")) {
    faults.add(path, "a path is not allowed here; write a literal, $name or $token.<claim>");
    return undefined;
  }
  const reference = readReference(text, "ciq");
  if ("fault" in reference) faults.add(path, reference.fault);
  else if (reference.kind === "parameter" && reference.path.length > 0) {
    faults.add(path, "input parameters have no members here; name the parameter alone");
  } else if (of === "external_value" && reference.kind !== "parameter") {
    faults.add(path, "a resolver is named by a literal or $name");
  } else return { path, of, kind: "reference", text, reference };
  return undefined;
};

/** Reads a value of a query's upserts; a string that starts with `$` or `@` is never a literal. */
export const readValueSource = (
  value: unknown,
  path: string,
  of: ValueKind,
  faults: Faults,
): ValueSource | undefined => {
  if (value === undefined) {
    faults.add(path, "required");
    return undefined;
  }
  if (isReferenceText(value)) return readGivenReference(value, path, of, faults);
  const fault =
    Array.isArray(value) && value.some(isReferenceText)
      ? "an array holds literals only"
      : kindFault(of, value);
  if (fault === undefined) return { path, of, kind: "literal", value: storedValue(of, value) };
  faults.add(path, fault);
  return undefined;
};

/** Adds what the value reads from the request. */
export const addInputOf = (given: ValueSource, needs: RequiredInputs): void => {
  if (given.kind === "reference")
    needs.add(given.reference, given.of === "external_id" ? "external_id" : "any");
};

const valueOf = (reference: Reference, values: BoundValues): unknown => {
  switch (reference.kind) {
    case "parameter":
      return values.parameters[referenceKey(reference)];
    case "token":
      return values.token[referenceKey(reference)];
    case "application":
      return values.application;
    case "request":
    case "platform":
    case "absent":
      return null;
  }
};

/**
 * The value for one request. A claim that is absent is refused: writing null would remove what is stored.
 *
 * @returns the value as it is stored, or the text of the 422.
 */
export const bindValueSource = (
  given: ValueSource,
  values: BoundValues,
): { value: Value } | { fault: string } => {
  if (given.kind === "literal") return { value: given.value };
  const value = valueOf(given.reference, values) ?? null;
  const fault = kindFault(given.of, value);
  if (fault === undefined) return { value: storedValue(given.of, value) };
  if (given.reference.kind === "parameter") return { fault: missingParameterText(given.reference.name) };
  return {
    fault: `${given.path}: ${given.text} ${value === null ? "is absent" : `cannot be used: ${fault}`}`,
  };
};

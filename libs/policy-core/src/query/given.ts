import type { Faults } from "../checked.ts";
import { missingParameterText, type BoundValues } from "../values/bind.ts";
import type { Needs } from "../values/needs.ts";
import { readReference, referenceKey, type Reference } from "../values/reference.ts";
import { kindFault, storedValue, type Storable, type ValueKind } from "./value-kind.ts";

/** A value that a query writes: fixed in its text, or taken from the request. */
export type Given = { readonly path: string; readonly of: ValueKind } & (
  | { readonly kind: "literal"; readonly value: Storable }
  | { readonly kind: "reference"; readonly text: string; readonly reference: Reference }
);

const isReferenceText = (value: unknown): value is string => typeof value === "string" && /^[$@]/.test(value);

const readGivenReference = (text: string, path: string, of: ValueKind, faults: Faults): Given | undefined => {
  if (text.startsWith("@")) {
    faults.add(path, "a path cannot stand here; write a literal, $name or $token.<claim>");
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

/** Reads a value of a query's upserts; a string that starts with `$` or `@` is never a literal (3.1). */
export const readGiven = (value: unknown, path: string, of: ValueKind, faults: Faults): Given | undefined => {
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
export const needGiven = (given: Given, needs: Needs): void => {
  if (given.kind === "reference")
    needs.add(given.reference, given.of === "external_id" ? "external_id" : "any");
};

const valueOf = (reference: Reference, values: BoundValues): unknown => {
  switch (reference.kind) {
    case "parameter":
      return values.p[referenceKey(reference)];
    case "token":
      return values.t[referenceKey(reference)];
    case "application":
      return values.a;
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
export const bindGiven = (given: Given, values: BoundValues): { value: Storable } | { fault: string } => {
  if (given.kind === "literal") return { value: given.value };
  const value = valueOf(given.reference, values) ?? null;
  const fault = kindFault(given.of, value);
  if (fault === undefined) return { value: storedValue(given.of, value) };
  if (given.reference.kind === "parameter") return { fault: missingParameterText(given.reference.name) };
  return {
    fault: `${given.path}: ${given.text} ${value === null ? "is absent" : `cannot be used: ${fault}`}`,
  };
};

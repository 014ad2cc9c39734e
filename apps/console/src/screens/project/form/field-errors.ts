import type { FormField, FormValues } from "./form-field.ts";
import { textIn } from "./form-field.ts";
import { objectError } from "../../../text/json.ts";

/** Errors by the names of their fields, and those of no field. */
export interface FieldErrors {
  readonly fields: Readonly<Partial<Record<string, string>>>;
  readonly rest: readonly string[];
}

export const noFieldErrors: FieldErrors = { fields: {}, rest: [] };

/** A field with its path in errors. */
interface PlacedField {
  readonly name: string;
  readonly path: string;
}

const placed = ({ name, path = name }: FormField, sent: FormValues): PlacedField => ({
  name,
  path: typeof path === "string" ? path : path(sent),
});

const isAt = (place: string, path: string): boolean =>
  place === path || place.startsWith(`${path}.`) || place.startsWith(`${path}[`);

/** The longest path that holds the place; else a field within the place, as `jwt_matcher` names both of its fields. */
const fieldAt = (place: string, fields: readonly PlacedField[]): PlacedField | undefined => {
  const holding = fields
    .filter(({ path }) => isAt(place, path))
    .toSorted((one, other) => other.path.length - one.path.length);
  return holding[0] ?? fields.find(({ path }) => isAt(path, place));
};

/**
 * Puts errors of the API, each beginning with the path of its field, to the fields that are shown.
 *
 * @param sent the values that the errors are about.
 */
export const placeErrors = (
  errors: readonly string[],
  shown: readonly FormField[],
  sent: FormValues,
): FieldErrors => {
  const candidates = shown.map((field) => placed(field, sent));
  const fields = new Map<string, string>();
  const rest: string[] = [];
  for (const error of errors) {
    const at = error.indexOf(": ");
    const field = at < 0 ? undefined : fieldAt(error.slice(0, at), candidates);
    if (field === undefined) {
      rest.push(error);
      continue;
    }
    const isOfField = error.slice(0, at) === field.path;
    const text = isOfField ? error.slice(at + 2) : error;
    const before = fields.get(field.name);
    fields.set(field.name, before === undefined ? text : `${before}; ${text}`);
  }
  return { fields: Object.fromEntries(fields), rest };
};

/** The errors that a form finds itself: a field of JSON holds an object, or nothing. */
export const jsonFieldErrors = (values: FormValues, shown: readonly FormField[]): FieldErrors => ({
  fields: Object.fromEntries(
    shown.flatMap((field) => {
      if (field.kind !== "json") return [];
      const error = objectError(textIn(values, field.name));
      return error === undefined ? [] : [[field.name, error]];
    }),
  ),
  rest: [],
});

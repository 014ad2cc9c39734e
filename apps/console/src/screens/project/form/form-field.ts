import { parseField } from "../../../text/json.ts";

/** What a form holds while it is edited; numbers are texts until they are sent. */
export type FormValues = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** What choosing it means. */
  readonly hint?: string;
}

interface FieldBase {
  /** The member of the values. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Where the API names it in an error, as `jwt_matcher.issuer`; its name by default. A function gets the values that were sent. */
  readonly path?: string | ((sent: FormValues) => string);
  /** Set when the record is created, and never changed. */
  readonly isFixed?: boolean;
  /** Absent: always. */
  readonly isShown?: (values: FormValues) => boolean;
}

/** A field of a form of a record. */
export type FormField = FieldBase &
  (
    | { readonly kind: "text"; readonly placeholder?: string }
    /** It is never shown, and empty when a record is edited. */
    | { readonly kind: "secret" }
    | { readonly kind: "long" }
    | { readonly kind: "json"; readonly placeholder?: string }
    | { readonly kind: "check" }
    | { readonly kind: "choice"; readonly choices: readonly Choice[] }
    /** Several of some. */
    | { readonly kind: "choices"; readonly choices: readonly Choice[] }
    | { readonly kind: "list"; readonly item: string; readonly max: number }
    /** A record of another collection, by its gid. */
    | { readonly kind: "record"; readonly collection: "agents" | "introspects" }
  );

/** A field of one of the kinds. */
export type FieldOf<Kind extends FormField["kind"]> = Extract<FormField, { kind: Kind }>;

export const textIn = (values: FormValues, name: string): string => {
  const value = values[name];
  return typeof value === "string" ? value.trim() : "";
};

export const listIn = (values: FormValues, name: string): readonly string[] => {
  const value = values[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
};

/** A member for a text that is not empty. */
export const given = (values: FormValues, name: string, member = name): Readonly<Record<string, string>> => {
  const text = textIn(values, name);
  return text === "" ? {} : { [member]: text };
};

/** The object of a field of JSON; undefined while it is empty. @throws SyntaxError for invalid JSON */
export const jsonIn = (values: FormValues, name: string): unknown => parseField(textIn(values, name));

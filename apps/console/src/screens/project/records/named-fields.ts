import { type FormField, type FormValues, textIn } from "../form/form-field.ts";
import type { NamedRecord } from "./use-records.ts";

/** The field for the name of a record; `describedFields` are its other fields in every kind. */
export const nameField = (placeholder: string): FormField => ({
  kind: "text",
  name: "name",
  label: "Name",
  placeholder,
  hint: "Lower-case letters, digits and hyphens; it never changes.",
  isFixed: true,
});

export const describedFields: readonly FormField[] = [
  { kind: "text", name: "display_name", label: "Display name" },
  { kind: "long", name: "description", label: "Description" },
];

export const namedValues = (record: NamedRecord | undefined): FormValues => ({
  name: record?.name ?? "",
  // It is shown as the name where it is not set.
  display_name: record === undefined || record.display_name === record.name ? "" : record.display_name,
  description: record?.description ?? "",
});

/** An empty text removes what was there; a new record leaves it out. */
export const namedBody = (values: FormValues, isNew: boolean): Readonly<Record<string, string>> => {
  const described = ["display_name", "description"]
    .map((name) => [name, textIn(values, name)] as const)
    .filter(([, text]) => !isNew || text !== "");
  return { ...(isNew && { name: textIn(values, "name") }), ...Object.fromEntries(described) };
};

import { z } from "zod";
import { codePoints, text } from "../names.ts";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import { named, namedRecord, oneOf, parent, projectParents } from "./fields.ts";

export const resolverMethods = ["GET", "POST", "PUT", "PATCH"] as const;

/** Placeholders stand for what is not known yet; with a letter in the place of each, an address must be left. */
const placeholder = /\{\$[^{}]*\}/g;

const url = text(1, 2048).superRefine((value, context) => {
  const filled = value.replaceAll(placeholder, "1");
  const parsed = URL.canParse(filled) ? new URL(filled) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol))
    context.addIssue({ code: "custom", message: "http or https URL expected" });
  else if (parsed.username !== "" || parsed.password !== "")
    context.addIssue({ code: "custom", message: "no user name or password" });
});

/** Printable, so that no value can end its header. */
const headerValue = text(1, 255).refine((value) => /^[\t\x20-\x7e\x80-\uffff]*$/.test(value), {
  error: "no control characters",
});

/** Values in arrays, as they come back. Written by hand so that every own key is judged, `__proto__` included. */
const headers = z.unknown().transform((value, context): Readonly<Record<string, readonly string[]>> => {
  const fault = (path: PropertyKey[], message: string): void =>
    context.addIssue({ code: "custom", path, message, input: value });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    fault([], "object expected");
    return z.NEVER;
  }
  const entries = Object.entries(value).map(([name, given]) => {
    const key = name.slice(0, 256);
    if (!/^[A-Za-z0-9-]+$/.test(name) || codePoints(name) > 256)
      fault([key], "name of letters, digits and hyphens");
    const values: unknown[] = Array.isArray(given) ? given : [given];
    if (values.length === 0) fault([key], "at least one value");
    values.forEach((each, index) => {
      const parsed = headerValue.safeParse(each);
      if (!parsed.success)
        fault(Array.isArray(given) ? [key, index] : [key], "1-255 characters without control characters");
    });
    return [name, values as string[]] as const; // judged above
  });
  return Object.fromEntries(entries);
});

const contentTypes = ["JSON"] as const;

const fields = {
  project_id: parent("project"),
  ...named,
  url: {
    schema: url,
    create: "required",
    update: "required",
    rule: "http or https, at most 2,048 characters; may hold `{$name}` and `{$name || default}`",
  },
  method: {
    schema: oneOf(resolverMethods),
    create: "required",
    update: "required",
    rule: resolverMethods.join(", "),
  },
  headers: {
    schema: headers,
    create: "optional",
    update: "kept",
    // Declarative clients compare them (README decision 10).
    shown: (value: unknown) => value,
    read: "if set, each an array of texts",
    rule: "name of letters, digits and hyphens to a text or an array of texts of 1-255 characters; `{}` clears",
  },
  request_content_type: { schema: oneOf(contentTypes), create: "required", update: "required", rule: "JSON" },
  request_payload: {
    schema: text(1, 65_536),
    create: "optional",
    update: "kept",
    emptyRemoves: true,
    rule: "at most 65,536 characters; may hold placeholders",
  },
  response_content_type: {
    schema: oneOf(contentTypes),
    create: "required",
    update: "required",
    rule: "JSON",
  },
  response_selector: {
    schema: text(1, 255),
    create: "required",
    update: "required",
    rule: "1-255 characters",
  },
} as const;

export const ExternalDataResolverRecord = z.object({
  ...namedRecord,
  ...projectParents,
  url: z.string(),
  method: z.enum(resolverMethods),
  headers: z.record(z.string(), z.array(z.string())).optional(),
  request_content_type: z.enum(contentTypes),
  request_payload: z.string().optional(),
  response_content_type: z.enum(contentTypes),
  response_selector: z.string(),
});

/** api specification 9.9. */
export const externalDataResolverCollection = {
  kind: "external_data_resolver",
  path: "/external-data-resolvers",
  singular: "external_data_resolver",
  plural: "external_data_resolvers",
  section: "9.9",
  parent: { kind: "project", field: "project_id" },
  scope: "project",
  named: true,
  fields,
  record: ExternalDataResolverRecord,
  create: createBody(fields),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;

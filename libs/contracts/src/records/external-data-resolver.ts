import { z } from "zod";
import { text } from "../names.ts";
import { headerNameFault, parseHeaderTemplate } from "../resolvers/header-template.ts";
import { parsePayloadTemplate } from "../resolvers/payload-template.ts";
import type { Parsed } from "../resolvers/placeholder.ts";
import { parseSelector } from "../resolvers/selector.ts";
import { parseUrlTemplate } from "../resolvers/url-template.ts";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import { namedRecord, nameFields, oneOf, parent, projectParents } from "./fields.ts";
import { isJsonObject } from "../values/is-json-object.ts";

export const resolverMethods = ["GET", "POST", "PUT", "PATCH"] as const;

/** A text that is read further only when its length is right. */
const readAs = (length: ReturnType<typeof text>, read: (value: string) => Parsed<unknown>) =>
  length.pipe(
    z.string().superRefine((value, context) => {
      const result = read(value);
      if (!result.ok) context.addIssue({ code: "custom", message: result.fault });
    }),
  );

const headerValue = text(1, 255).refine((value) => !/\p{Cc}/u.test(value));

/** What is wrong with one value of a header. */
const headerValueFault = (value: unknown): string | undefined => {
  const given = headerValue.safeParse(value);
  if (!given.success) return "1-255 characters without control characters";
  const template = parseHeaderTemplate(given.data);
  return template.ok ? undefined : template.fault;
};

/** Values in arrays, as they come back. Written by hand so that every own key is judged, `__proto__` included. */
const headers = z.unknown().transform((value, context): Readonly<Record<string, readonly string[]>> => {
  const fault = (path: PropertyKey[], message: string | undefined): void => {
    if (message !== undefined) context.addIssue({ code: "custom", path, message, input: value });
  };
  if (!isJsonObject(value)) {
    fault([], "object expected");
    return z.NEVER;
  }
  const entries = Object.entries(value).map(([name, given]) => {
    const key = name.slice(0, 256);
    fault([key], headerNameFault(name));
    const values: unknown[] = Array.isArray(given) ? given : [given];
    if (values.length === 0) fault([key], "at least one value");
    values.forEach((each, index) =>
      fault(Array.isArray(given) ? [key, index] : [key], headerValueFault(each)),
    );
    return [name, values as string[]] as const; // judged above
  });
  return Object.fromEntries(entries);
});

const contentTypes = ["JSON"] as const;

const fields = {
  project_id: parent("project"),
  ...nameFields,
  url: {
    schema: readAs(text(1, 2048), parseUrlTemplate),
    create: "required",
    update: "required",
    rule: "http or https, at most 2,048 characters; path and query may hold placeholders such as `{$name || default}` and `{$node.property.name}` (docs/resolvers.md)",
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
    // Not masked: declarative clients compare them.
    sealed: true,
    read: "if set, each an array of texts",
    rule: "name of letters, digits and hyphens to a text or an array of texts of 1-255 characters, which may hold placeholders; `{}` clears",
  },
  request_content_type: { schema: oneOf(contentTypes), create: "required", update: "required", rule: "JSON" },
  request_payload: {
    schema: readAs(text(1, 65_536), parsePayloadTemplate),
    create: "optional",
    update: "kept",
    emptyRemoves: true,
    rule: "JSON of at most 65,536 characters; its strings may hold placeholders",
  },
  response_content_type: {
    schema: oneOf(contentTypes),
    create: "required",
    update: "required",
    rule: "JSON",
  },
  response_selector: {
    schema: readAs(text(1, 255), parseSelector),
    create: "required",
    update: "required",
    rule: "JSONPath (RFC 9535) or a path like `.a.b[0]`, 1-255 characters",
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

export const externalDataResolverCollection = {
  kind: "external_data_resolver",
  path: "/external-data-resolvers",
  singular: "external_data_resolver",
  plural: "external_data_resolvers",
  parent: { kind: "project", field: "project_id" },
  scope: "project",
  hasName: true,
  fields,
  record: ExternalDataResolverRecord,
  create: createBody(fields),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;

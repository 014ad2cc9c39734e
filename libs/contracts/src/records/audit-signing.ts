import { z } from "zod";
import { text } from "../names.ts";
import { type Combination, createBody, type RecordDescription, updateBody } from "./description.ts";
import { namedRecord, nameFields, oneOf, parent, projectParents } from "./fields.ts";
import { codePoints } from "../values/code-points.ts";
import { isJsonObject } from "../values/is-json-object.ts";

export const signingProviders = [
  "PLATFORM_MANAGED",
  "CUSTOMER_GCP_KMS",
  "CUSTOMER_AWS_KMS",
  "CUSTOMER_AZURE_KEY_VAULT",
] as const;

export type SigningProvider = (typeof signingProviders)[number];

const maxParams = 32;

/** Pairs of texts; an empty value is refused, so that the mask of a read never wipes a secret. */
const authParams = z.unknown().transform((value, context): Readonly<Record<string, string>> => {
  const fault = (path: PropertyKey[], message: string): void =>
    context.addIssue({ code: "custom", path, message, input: path.length === 0 ? value : undefined });
  if (!isJsonObject(value)) {
    fault([], "object expected");
    return z.NEVER;
  }
  const entries = Object.entries(value);
  if (entries.length > maxParams) fault([], `at most ${maxParams} entries`);
  for (const [key, each] of entries.slice(0, maxParams)) {
    if (key === "" || codePoints(key) > 256) fault([key.slice(0, 256)], "key: 1-256 characters");
    if (!text(1, 256).safeParse(each).success) fault([key.slice(0, 256)], "1-256 characters");
  }
  return Object.fromEntries(entries) as Record<string, string>; // judged above
});

const masked = (value: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(value).map((key) => [key, ""]));

const keyText = {
  schema: text(1, 256),
  create: "optional",
  update: "replaced",
  emptyRemoves: true,
  rule: "1-256 characters; required for customer providers, refused for PLATFORM_MANAGED",
} as const;

const fields = {
  project_id: parent("project"),
  ...nameFields,
  provider: {
    schema: oneOf(signingProviders),
    create: "required",
    update: "required",
    rule: signingProviders.join(", "),
  },
  key_resource: keyText,
  kid: keyText,
  auth_params: {
    schema: authParams,
    create: "optional",
    update: "kept",
    sealed: true,
    maskForRead: masked,
    read: 'if set, with `""` for every value',
    rule: 'at most 32 pairs of texts of 1-256 characters; values come back as `""`; absent with the same provider keeps, `{}` clears',
  },
} as const;

/** What belongs to whose key. */
const keyOfProvider: Combination = ({ provider, key_resource, kid, auth_params }, fault) => {
  if (provider === "PLATFORM_MANAGED") {
    for (const [name, value] of Object.entries({ key_resource, kid }))
      if (value !== undefined) fault([name], "not for PLATFORM_MANAGED");
    if (typeof auth_params === "object" && auth_params !== null && Object.keys(auth_params).length > 0)
      fault(["auth_params"], "not for PLATFORM_MANAGED");
  } else if (signingProviders.some((each) => each === provider))
    for (const [name, value] of Object.entries({ key_resource, kid }))
      if (value === undefined) fault([name], "required");
};

export const AuditSigningRecord = z.object({
  ...namedRecord,
  ...projectParents,
  provider: z.enum(signingProviders),
  key_resource: z.string().optional(),
  kid: z.string().optional(),
  auth_params: z.record(z.string(), z.literal("")).optional(),
});

export const auditSigningCollection = {
  kind: "audit_signing",
  path: "/audit-signings",
  singular: "audit_signing",
  plural: "audit_signings",
  parent: { kind: "project", field: "project_id" },
  scope: "project",
  hasName: true,
  fields,
  record: AuditSigningRecord,
  create: createBody(fields, keyOfProvider),
  update: updateBody(fields, keyOfProvider),
} satisfies RecordDescription<typeof fields>;

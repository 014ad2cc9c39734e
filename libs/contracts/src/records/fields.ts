import { z } from "zod";
import { type Gid, gidKind, type GidKind, isGid } from "../gid.ts";
import { recordNamePattern, text, wellFormed } from "../names.ts";
import type { Field } from "./description.ts";
import type { RecordKind } from "./kinds.ts";
import { codePoints } from "../values/code-points.ts";

export const recordName = text(2, 254).refine((value) => recordNamePattern.test(value), {
  error: "lower-case letters, digits and hyphens; a letter first, no hyphen last",
});

/** Fields that a caller gives to every named record. */
export const nameFields = {
  name: {
    schema: recordName,
    create: "required",
    update: "fixed",
    rule: "2-254 lower-case letters, digits and hyphens, a letter first, no hyphen last; unique in its parent",
  },
  display_name: {
    schema: text(2, 254),
    create: "optional",
    update: "kept",
    emptyRemoves: true,
    rule: "2-254 characters; shown as the name when unset",
  },
  description: {
    schema: text(2, 65_000),
    create: "optional",
    update: "kept",
    emptyRemoves: true,
    rule: "2-65,000 characters",
  },
} as const satisfies Readonly<Record<string, Field>>;

/** A kind as messages name it: `knowledge query`. */
export const kindText = (kind: GidKind): string => kind.replaceAll("_", " ");

/** The gid of another record: malformed, or of another kind, is a fault of the body. */
export const gidOf = (kind: GidKind) =>
  z.string({ error: "string expected" }).transform((value, context): Gid => {
    if (isGid(value) && gidKind(value) === kind) return value;
    context.addIssue({
      code: "custom",
      message: `gid of a record of kind ${kindText(kind)} expected`,
      input: value,
    });
    return z.NEVER;
  });

/** The containing record: a gid of its kind, for ever. */
export const parent = (kind: RecordKind) =>
  ({
    schema: gidOf(kind),
    create: "required",
    update: "fixed",
    rule: `gid of the ${kindText(kind)} that contains it`,
  }) as const satisfies Field;

/** Another record of the same project. */
export const reference = (kind: RecordKind, what = kindText(kind)) =>
  ({
    schema: gidOf(kind),
    create: "required",
    update: "required",
    reference: kind,
    rule: `gid of ${/^[aeiou]/.test(what) ? "an" : "a"} ${what} of the same project`,
  }) as const satisfies Field;

/** A node type that callers may write; those of the platform begin with an underscore. */
export const writableNodeType = text(2, 64).refine((value) => /^[A-Za-z][A-Za-z0-9_]*$/.test(value), {
  error: "letters, digits and underscores, a letter first",
});

/** One of the named values. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, {
    error: (issue) => (issue.input === undefined ? "required" : `one of ${values.join(", ")}`),
  });

/** The largest text of a policy or query, in characters. */
const maxPolicyText = 512_000;

/** Text of a policy or query: any string that is not empty; what it says is judged when it is saved. */
export const policyText = z
  .string({ error: "string expected" })
  .refine((value) => value !== "", { error: "1-512000 characters" })
  .refine((value) => value.length <= maxPolicyText || codePoints(value) <= maxPolicyText, {
    error: "1-512000 characters",
  })
  .refine((value) => value.isWellFormed(), wellFormed);

/** Life cycle of policies and queries. */
export const recordStatus = oneOf(["ACTIVE", "INACTIVE", "DRAFT"]);

export type RecordStatus = z.output<typeof recordStatus>;

/** The large text of a policy or query, judged beyond its length when it is saved. */
export const languageText = {
  schema: policyText,
  create: "required",
  update: "required",
  storedIn: "text",
  rule: "JSON as a text of 1-512,000 characters, see docs/policy-language.md; a DRAFT may be any text",
} as const satisfies Field;

/** @param effect what being ACTIVE means */
export const lifeCycle = (effect: string) =>
  ({
    schema: recordStatus,
    create: "required",
    update: "required",
    storedIn: { column: "status" },
    rule: `ACTIVE, INACTIVE, DRAFT; ${effect}`,
  }) as const satisfies Field;

/** Fields of every record as read. */
const stampedRecord = {
  id: z.string(),
  create_time: z.string(),
  created_by: z.string(),
  update_time: z.string(),
  updated_by: z.string(),
};

/** Fields of every named record as read; `display_name` is the name when unset. */
export const namedRecord = {
  ...stampedRecord,
  name: z.string(),
  display_name: z.string(),
  description: z.string().optional(),
};

/** Where a record of a project belongs. */
export const projectParents = { project_id: z.string(), organization_id: z.string() };

import { z } from "zod";
import type { Gid } from "../gid.ts";
import { text } from "../names.ts";
import { authorizationPolicyCollection } from "../records/authorization-policy.ts";
import type { ContentField, RecordDescription } from "../records/description.ts";
import { gidOf, nameFields, oneOf, policyText, recordName } from "../records/fields.ts";
import { optional } from "../optional.ts";
import { knowledgeQueryCollection } from "../records/knowledge-query.ts";

/** Collections that a change set may change, by their path below `/configs/v1`. */
export const changeableCollections = ["authorization-policies", "knowledge-queries"] as const;

export type ChangeableCollection = (typeof changeableCollections)[number];

/** Their descriptions, by that path. */
export const changeableDescriptions = {
  "authorization-policies": authorizationPolicyCollection,
  "knowledge-queries": knowledgeQueryCollection,
} as const satisfies Readonly<Record<ChangeableCollection, Pick<RecordDescription, "fields">>>;

/** Changes in one set at most. */
const maxChanges = 500;

/** Bytes of the body of a change set at most. */
export const maxChangesBytes = 4_194_304;

/** The content of a policy or query: as JSON text, like in the collections, or as a JSON object. */
const language = z
  .union([policyText, z.record(z.string(), z.unknown())], { error: "JSON object or JSON text expected" })
  .transform((value) => (typeof value === "string" ? value : JSON.stringify(value)))
  .pipe(policyText);

/** A text that `""` removes. */
const removable = <S extends z.ZodType>(schema: S) => optional(z.union([z.literal(""), schema]));

const { display_name, description } = nameFields;
const described = {
  display_name: removable(display_name.schema),
  description: removable(description.schema),
};

const target = {
  /** The record; names are unique in a project. */
  name: recordName,
  /** The version that is replaced or deleted; 0: there is no record of this name. */
  if_version: optional(z.int({ error: "integer expected" }).min(0, { error: "0 or more" })),
};

const policies = z.literal("authorization-policies");
const queries = z.literal("knowledge-queries");

export const PolicyContent = z
  .strictObject({
    policy: language,
    status: authorizationPolicyCollection.fields.status.schema,
    tags: optional(authorizationPolicyCollection.fields.tags.schema),
    ...described,
  } satisfies Record<ContentField<typeof authorizationPolicyCollection>, z.ZodType>)
  .describe("Content of a policy. Omitted fields keep their value, or stay unset in a new record.");

export const QueryContent = z
  .strictObject({
    policy: optional(recordName),
    policy_id: optional(gidOf("authorization_policy")),
    query: language,
    status: knowledgeQueryCollection.fields.status.schema,
    ...described,
  } satisfies Record<ContentField<typeof knowledgeQueryCollection> | "policy", z.ZodType>)
  .refine(({ policy, policy_id }) => (policy === undefined) !== (policy_id === undefined), {
    path: ["policy"],
    error: "either policy (a name) or policy_id expected",
  })
  .describe(
    "Content of a query; its policy is named by `policy` (as before or after the set) or by `policy_id`.",
  );

const PutPolicy = z.strictObject({
  op: z.literal("put"),
  collection: policies,
  ...target,
  record: PolicyContent,
});
const PutQuery = z.strictObject({
  op: z.literal("put"),
  collection: queries,
  ...target,
  record: QueryContent,
});
const Delete = z.strictObject({
  op: z.literal("delete"),
  collection: oneOf(changeableCollections),
  ...target,
});

/** One change of a set: `put` creates or replaces by name, `delete` deletes. */
export const ChangeSetEntry = z.discriminatedUnion(
  "op",
  [
    z.discriminatedUnion("collection", [PutPolicy, PutQuery], {
      error: `one of ${changeableCollections.join(", ")}`,
    }),
    Delete,
  ],
  { error: "one of put, delete" },
);

export type ChangeSetEntry = z.output<typeof ChangeSetEntry>;

/** The changes of a set, in their order; every record is named once. */
export const ChangeSetEntries = z
  .array(ChangeSetEntry, { error: "array expected" })
  .min(1, { error: `1-${maxChanges} entries` })
  .max(maxChanges, { error: `1-${maxChanges} entries` })
  .superRefine((changes, context) => {
    const seen = new Set<string>();
    changes.forEach(({ collection, name }, index) => {
      const key = `${collection}/${name}`;
      if (seen.has(key))
        context.addIssue({ code: "custom", path: [index, "name"], message: "named twice in this set" });
      seen.add(key);
    });
  });

/** Changes in one page of change records, and versions in one page: by default and at most. */
export const changePage = 50;

const message = optional(text(1, 1_000));

/** POST /configs/v1/changes. Other members of an export are ignored. */
export const ChangeSet = z.object({
  project_id: gidOf("project"),
  /** Why; kept in the change record. */
  message,
  changes: ChangeSetEntries,
});

export type ChangeSet = z.output<typeof ChangeSet>;

/** POST /configs/v1/changes/{id}/revert. */
export const RevertRequest = z.object({
  message,
  /** Reverts records that have been changed since as well. */
  force: optional(z.boolean({ error: "true or false" })),
});

/** POST /configs/v1/{collection}/{id}/rollback. */
export const RollbackRequest = z.object({
  message,
  /** The version whose content the new version has. */
  version: z.int({ error: "integer expected" }).min(1, { error: "1 or more" }),
});

/** An id of a record; configs alone writes them. */
const gid = z.string() as unknown as z.ZodType<Gid>; // documented as the text that it is

/** The change of one record; version 0 stands for a record that does not exist. */
export const RecordTransition = z.object({
  collection: z.enum(changeableCollections),
  id: gid,
  name: z.string(),
  op: z.enum(["put", "delete"]),
  from_version: z.int(),
  to_version: z.int(),
});

export type RecordTransition = z.output<typeof RecordTransition>;

/** Changes that were made together: a change set, or a single POST, PUT or DELETE. */
export const ChangeRecord = z.object({
  id: gid,
  project_id: gid,
  create_time: z.string(),
  created_by: z.string(),
  message: z.string().optional(),
  /** The change record that this one reverted. */
  reverts: gid.optional(),
  changes: z.array(RecordTransition),
});

export type ChangeRecord = z.output<typeof ChangeRecord>;

const changeWarning = z.looseObject({
  /** Which change of the set it is about, from 0. */
  change: z.int(),
});

/**
 * What a change set did, or would do. Without `id` nothing was stored: it was a dry run, or every `put` was what its record
 * is already. Puts that change nothing are in `unchanged`, and not in the change record.
 */
export const AppliedChanges = ChangeRecord.partial({ id: true }).extend({
  dry_run: z.literal(true).optional(),
  unchanged: z.array(RecordTransition),
  warnings: z.array(changeWarning),
});

export type AppliedChanges = z.output<typeof AppliedChanges>;

/** The former content of a policy or query: its fields as a `put` takes them, with texts as they were written. */
const content = z.record(z.string(), z.unknown());

/** GET /configs/v1/changes/{id}: with the records before and after. */
export const ChangeRecordWithTexts = ChangeRecord.extend({
  changes: z.array(RecordTransition.extend({ before: content.optional(), after: content.optional() })),
});

export type ChangeRecordWithTexts = z.output<typeof ChangeRecordWithTexts>;

/** GET /configs/v1/changes?project_id=: a page, newest first. */
export const ChangeRecords = z.object({
  items: z.array(ChangeRecord),
  has_more: z.boolean(),
  next_cursor: z.string(),
});

/** GET /configs/v1/{collection}/{id}/versions: a page, newest first. */
export const RecordVersions = z.object({
  items: z.array(
    z.object({
      version: z.int(),
      create_time: z.string(),
      created_by: z.string(),
      /** Absent for a version from before change records were kept, or whose change record is no longer kept. */
      change_id: gid.optional(),
    }),
  ),
  has_more: z.boolean(),
  next_cursor: z.string(),
});

export type RecordVersions = z.output<typeof RecordVersions>;

/** GET /configs/v1/export?project_id=. */
export const ProjectExport = z.object({
  project_id: z.string(),
  export_time: z.string(),
  /** Policies and queries, as `POST /configs/v1/changes` takes them, at most 500 at one time. */
  changes: z.array(
    z.object({
      op: z.literal("put"),
      collection: z.enum(changeableCollections),
      name: z.string(),
      record: z.record(z.string(), z.unknown()),
    }),
  ),
  /** Of every record in `changes` and `records`: its current version, so that a change of a newer one can be refused. */
  versions: z.array(
    z.object({
      collection: z.string(),
      name: z.string(),
      /** As `if_version` of a change takes it. */
      version: z.int(),
      /** As `If-Match` takes it. */
      etag: z.string(),
    }),
  ),
  /** Every other record that has a configuration, the project itself first; other records are named by their names. */
  records: z.array(
    z.object({
      collection: z.string(),
      name: z.string(),
      record: z.record(z.string(), z.unknown()),
    }),
  ),
  /** Fields of records that are secrets and left out. */
  secrets: z.array(z.object({ collection: z.string(), name: z.string(), field: z.string() })),
});

export type ProjectExport = z.output<typeof ProjectExport>;

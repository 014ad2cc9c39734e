import { z } from "zod";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import { namedRecord, nameFields, oneOf, parent, projectParents, writableNodeType } from "./fields.ts";

export const schedules = ["THREE_HOURS", "SIX_HOURS", "TWELVE_HOURS", "DAILY"] as const;

export const dimensionNames = ["VALIDITY", "VERIFICATION", "FRESHNESS", "ORIGIN", "COMPLETENESS"] as const;

const weight = z
  .number({ error: "number expected" })
  .min(0, { error: "0-1 expected" })
  .max(1, { error: "0-1 expected" });

const dimensions = z
  .array(z.object({ name: oneOf(dimensionNames), weight }), { error: "array expected" })
  .superRefine((all, context) => {
    const names = all.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) < index)
        context.addIssue({ code: "custom", path: [index, "name"], message: `${name} is named twice` });
    });
    if (all.length > 0 && all.every((each) => each.weight === 0))
      context.addIssue({ code: "custom", message: "at least one weight above 0" });
  });

const fields = {
  project_id: parent("project"),
  ...nameFields,
  node_classification: {
    schema: writableNodeType,
    create: "required",
    update: "fixed",
    rule: "node type of 2-64 letters, digits and underscores, a letter first; one profile per type of a project",
  },
  schedule: {
    schema: oneOf(schedules),
    create: "required",
    update: "kept",
    rule: schedules.join(", "),
  },
  dimensions: {
    schema: dimensions,
    create: "required",
    update: "kept",
    rule: `at least one of ${dimensionNames.join(", ")}, each once, with a weight of 0-1, one above 0; \`[]\` keeps`,
  },
} as const;

const executionTimes = z.object({ execution_start_time: z.string(), execution_end_time: z.string() });

/** The progress of the current run. */
const currentRun = z.object({
  run_id: z.string(),
  start_time: z.string(),
  scored: z.number(),
  total: z.number(),
});

export const TrustScoreProfileRecord = z.object({
  ...namedRecord,
  ...projectParents,
  node_classification: z.string(),
  schedule: z.enum(schedules),
  dimensions: z.array(z.object({ name: z.enum(dimensionNames), weight: z.number() })),
  last_run_id: z.string(),
  last_run_start_time: z.string(),
  last_run_end_time: z.string(),
  dimensions_execution_times: z.record(z.string(), executionTimes).optional(),
  current_run: currentRun.optional(),
});

export const trustScoreProfileCollection = {
  kind: "trust_score_profile",
  path: "/trust-score-profiles",
  singular: "trust_score_profile",
  plural: "trust_score_profiles",
  parent: { kind: "project", field: "project_id" },
  scope: "project",
  hasName: true,
  fields,
  record: TrustScoreProfileRecord,
  create: createBody(fields, ({ dimensions: given }, fault) => {
    if (Array.isArray(given) && given.length === 0) fault(["dimensions"], "at least one entry");
  }),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;

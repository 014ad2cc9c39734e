import { z } from "zod";
import { isJsonObject } from "../values/is-json-object.ts";

/** One limit that protects the other projects of an installation. */
interface LimitDescription {
  /** What it bounds, with its unit. */
  readonly bounds: string;
  readonly default: number;
}

/**
 * Limits of a project by their names in the record field `limits`. Each has two settings, `LIMIT_<NAME>`: its value for
 * projects that state none, and `LIMIT_<NAME>_MAX`: the highest value that a project may state.
 */
export const projectLimitDescriptions = {
  requests_per_second: {
    bounds: "requests in a second over all processes of gateway and mcp",
    default: 1_000_000,
  },
  requests_in_flight: { bounds: "requests in flight at one gateway process", default: 512 },
  concurrent_statements: { bounds: "database statements at one time of one process", default: 100 },
  database_ms_per_second: {
    bounds:
      "milliseconds of database time in a second over all processes, while statements of other projects wait",
    default: 1_000_000,
  },
  page_bytes: { bounds: "bytes of one page of a query", default: 8_000_000 },
  property_names: { bounds: "distinct property names of the graph", default: 2_000 },
  relationship_types: { bounds: "distinct relationship types of the graph", default: 500 },
  node_types: { bounds: "distinct node types of the graph", default: 500 },
  imports_waiting: { bounds: "import jobs that have not ended", default: 20 },
  import_bytes: { bounds: "bytes of one import, decompressed", default: 4_000_000_000 },
  import_stored_bytes: {
    bounds: "bytes that imports which have not ended keep in the database, compressed",
    default: 8_000_000_000,
  },
  import_rows_per_second: { bounds: "rows that imports write in a second", default: 100_000 },
  rejected_lines: { bounds: "rejected lines that are kept of one import", default: 10_000 },
  sessions: { bounds: "open sessions of MCP", default: 2_000 },
  records: { bounds: "configuration records, expired credentials included", default: 10_000 },
  authorization_policies: { bounds: "authorization policies", default: 2_000 },
  knowledge_queries: { bounds: "knowledge queries", default: 2_000 },
  trust_score_profiles: { bounds: "trust score profiles", default: 100 },
  configuration_bytes: {
    bounds: "bytes of configuration records in their latest versions",
    default: 8_000_000,
  },
  change_bytes: {
    bounds: "bytes of change records with their texts; the oldest ones go beyond them",
    default: 200_000_000,
  },
  audit_waiting_bytes: { bounds: "bytes of audit records that wait to be stored", default: 64_000_000 },
} as const satisfies Readonly<Record<string, LimitDescription>>;

export type ProjectLimitName = keyof typeof projectLimitDescriptions;

export const projectLimitNames = Object.keys(projectLimitDescriptions) as readonly ProjectLimitName[]; // of the object above

/** The largest value of any limit. */
const ceiling = 1_000_000_000_000;

const limitValue = z
  .number({ error: "integer expected" })
  .int({ error: "integer expected" })
  .min(1, { error: "at least 1 expected" })
  .max(ceiling, { error: `at most ${ceiling} expected` });

/** The record field `limits`: values of this project, by name; a missing one is the installation's. */
export const StatedLimits = z.strictObject(
  Object.fromEntries(projectLimitNames.map((name) => [name, limitValue.optional()])) as Record<
    ProjectLimitName,
    z.ZodOptional<typeof limitValue>
  >,
  {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? `unknown limit: ${issue.keys.join(", ")}` : "object expected",
  },
);

export type StatedLimits = z.output<typeof StatedLimits>;

/**
 * The limits that a stored record states, by known names with valid values. Others, as a later release may have stored
 * them before it was rolled back, take no effect from those.
 *
 * @param stored the record's field `limits`, as it was read.
 */
export const storedLimits = (stored: unknown): StatedLimits => {
  if (!isJsonObject(stored)) return {};
  return Object.fromEntries(
    projectLimitNames.flatMap((name) => {
      const value = limitValue.safeParse(stored[name]);
      return value.success ? [[name, value.data] as const] : [];
    }),
  );
};

/** A value for every limit. */
export type ProjectLimits = Readonly<Record<ProjectLimitName, number>>;

/** The same, as a project's record shows the limits in force. */
export const EffectiveLimits = z.object(
  Object.fromEntries(projectLimitNames.map((name) => [name, z.number().int()])) as Record<
    ProjectLimitName,
    z.ZodNumber
  >, // every name
);

/** Distinct names of all projects of an organization in the shared database, deleted ones included. */
export interface OrganizationNameLimits {
  readonly property_names: number;
  readonly relationship_types: number;
  /** Labels are each project's own, so that a type counts once for each project that has it. */
  readonly node_types: number;
}

/** Names are never freed: a store of the Community Edition holds 65,536 relationship types. */
export const defaultOrganizationNames: OrganizationNameLimits = {
  property_names: 20_000,
  relationship_types: 5_000,
  node_types: 200_000,
};

/** What the operator says of limits: the value of projects that state none, and the highest that one may state. */
export interface LimitBounds {
  readonly defaults: ProjectLimits;
  readonly maxima: ProjectLimits;
  /** The built-in ones when unset. */
  readonly organizationNames?: OrganizationNameLimits;
}

const builtIn = Object.fromEntries(
  projectLimitNames.map((name) => [name, projectLimitDescriptions[name].default]),
) as ProjectLimits; // every name has its value

/** The bounds of an installation without settings. */
export const defaultLimitBounds: LimitBounds = { defaults: builtIn, maxima: builtIn };

/** The limits in force for a project: what its record states, never above the operator's maximum. */
export const effectiveLimits = (
  stated: StatedLimits | undefined,
  { defaults, maxima }: LimitBounds = defaultLimitBounds,
): ProjectLimits =>
  Object.fromEntries(
    projectLimitNames.map((name) => [name, Math.min(stated?.[name] ?? defaults[name], maxima[name])]),
  ) as ProjectLimits; // every name has its value

/** Names of the settings of a limit. */
export const limitSettingNames = <N extends ProjectLimitName>(name: N) => {
  const value = `LIMIT_${name.toUpperCase() as Uppercase<N>}` as const; // what the method does
  return { value, maximum: `${value}_MAX` as const };
};

/**
 * Stated limits that are above the operator's maximum, each as a fault of the body.
 *
 * @param present what the record states already: a maximum that was lowered later only bounds that.
 */
export const limitFaults = (
  stated: StatedLimits | undefined,
  { maxima }: LimitBounds,
  present?: StatedLimits,
): string[] =>
  projectLimitNames.flatMap((name) =>
    (stated?.[name] ?? 0) > maxima[name] && stated?.[name] !== present?.[name]
      ? [
          `limits.${name}: at most ${maxima[name]} expected; the operator's ${limitSettingNames(name).maximum} raises it`,
        ]
      : [],
  );

import {
  defaultOrganizationNames,
  type LimitBounds,
  limitSettingNames,
  type OrganizationNameLimits,
  projectLimitDescriptions,
  type ProjectLimitName,
  projectLimitNames,
  type ProjectLimits,
} from "@ikg/contracts";
import { z } from "zod";
import { integer } from "../settings/settings.ts";

const highestLimit = 1_000_000_000_000;

type LimitSettingName = `LIMIT_${Uppercase<ProjectLimitName>}${"" | "_MAX"}`;

const limitSettings = (name: ProjectLimitName) => {
  const names = limitSettingNames(name);
  const { bounds, default: byDefault } = projectLimitDescriptions[name];
  return {
    [names.value]: integer(1, highestLimit, byDefault, `Limit of a project that states none: ${bounds}.`),
    [names.maximum]: integer(
      0,
      highestLimit,
      0,
      `Highest \`limits.${name}\` that a project may state; 0: the value of \`${names.value}\`.`,
    ),
  };
};

const organizationNames = (name: keyof OrganizationNameLimits, what: string) =>
  integer(
    1,
    highestLimit,
    defaultOrganizationNames[name],
    `Distinct ${what} of all projects of an organization in the shared database, deleted projects included.`,
  );

/** Limits of projects: two settings each; and of the names that a store keeps of an organization. */
export const ProjectLimitSettings = z
  .object(
    Object.assign({}, ...projectLimitNames.map(limitSettings)) as Record<
      LimitSettingName,
      ReturnType<typeof integer>
    >, // two members for each name, as the type says
  )
  .extend({
    ORGANIZATION_PROPERTY_NAMES: organizationNames("property_names", "property names"),
    ORGANIZATION_RELATIONSHIP_TYPES: organizationNames("relationship_types", "relationship types"),
    ORGANIZATION_NODE_TYPES: organizationNames(
      "node_types",
      "labels: one for each node type of each project,",
    ),
  });

/** The limits of projects that these settings state. */
export const limitBounds = (settings: z.output<typeof ProjectLimitSettings>): LimitBounds => {
  const valueOf = (setting: LimitSettingName): number => settings[setting];
  const each = (value: (name: ProjectLimitName) => number): ProjectLimits =>
    Object.fromEntries(projectLimitNames.map((name) => [name, value(name)])) as ProjectLimits; // every name
  const defaults = each((name) => valueOf(limitSettingNames(name).value));
  const maxima = each((name) => Math.max(valueOf(limitSettingNames(name).maximum), defaults[name]));
  return {
    defaults,
    maxima,
    organizationNames: {
      property_names: settings.ORGANIZATION_PROPERTY_NAMES,
      relationship_types: settings.ORGANIZATION_RELATIONSHIP_TYPES,
      node_types: settings.ORGANIZATION_NODE_TYPES,
    },
  };
};

import type { OrganizationNameLimits, ProjectLimits } from "@ikg/contracts";
import { type NameKind, nameKinds, type NamesByKind, type NameUse, noNames } from "./name-use.ts";

/** Names of all projects of an organization. A node type is a label of its own in each project, so that it is new to one of their lists. */
export interface OrganizationNames {
  readonly listed: Pick<NamesByKind, "property_names" | "relationship_types">;
  readonly labels: number;
  readonly limits: OrganizationNameLimits;
}

/** The result of checking uses of names. */
export interface NameCheck {
  /** Reasons of each use in its order; none where all of its names are listed or fit. */
  readonly refusals: readonly (readonly string[])[];
  /** New names that fit. */
  readonly added: NamesByKind;
}

const kindTexts: Readonly<Record<NameKind, string>> = {
  property_names: "property names",
  relationship_types: "relationship types",
  node_types: "node types",
};

/** The new names of one use by kind; undefined when it has none. */
export const newNamesOf = (use: NameUse, ...listed: readonly NamesByKind[]): NamesByKind | undefined => {
  let found: Record<NameKind, Set<string>> | undefined;
  use.visit((kind, name) => {
    if (listed.every((names) => !names[kind].has(name))) (found ??= noNames())[kind].add(name);
  });
  return found;
};

const moreNames = (count: number, [first]: Iterable<string>): string =>
  `${count} more: ${first}${count === 1 ? "" : " and others"}`;

/** The names of a kind that are new to an organization. */
const newToOrganization = (
  { listed }: Pick<OrganizationNames, "listed">,
  kind: NameKind,
  names: ReadonlySet<string>,
): ReadonlySet<string> =>
  kind === "node_types" ? names : new Set([...names].filter((name) => !listed[kind].has(name)));

/** Why the new names of a use exceed limits of its project. @param added names of the uses before */
const projectReasons = (
  place: string,
  names: NamesByKind,
  { listed, added }: { readonly listed: NamesByKind; readonly added: NamesByKind },
  limits: Pick<ProjectLimits, NameKind>,
): readonly string[] =>
  nameKinds.flatMap((kind) => {
    const present = listed[kind].size + added[kind].size;
    const count = names[kind].size;
    if (count === 0 || present + count <= limits[kind]) return [];
    return [
      `${place}: the project's graph has ${present} ${kindTexts[kind]} and cannot take ${moreNames(count, names[kind])} (limit ${kind}, ${limits[kind]})`,
    ];
  });

/** The same for limits of the organization. */
const organizationReasons = (
  place: string,
  names: NamesByKind,
  added: NamesByKind,
  organization: OrganizationNames,
): readonly string[] =>
  nameKinds.flatMap((kind) => {
    const fresh = newToOrganization(organization, kind, names[kind]);
    const before = kind === "node_types" ? organization.labels : organization.listed[kind].size;
    const present = before + newToOrganization(organization, kind, added[kind]).size;
    const limit = organization.limits[kind];
    if (fresh.size === 0 || present + fresh.size <= limit) return [];
    return [
      `${place}: the projects of the organization, deleted ones included, have ${present} ${kindTexts[kind]} and cannot take ${moreNames(fresh.size, fresh)} (limit ORGANIZATION_${kind.toUpperCase()}, ${limit})`,
    ];
  });

/**
 * Checks uses in their order: each is accepted with all of its new names, or refused with a reason for each kind whose limit
 * they exceed. The names of a refused use do not count against the next one.
 *
 * @param listed names that the project has.
 * @param organization undefined for a project with a database of its own.
 */
export const checkNameLimits = (
  uses: readonly NameUse[],
  listed: NamesByKind,
  limits: Pick<ProjectLimits, NameKind>,
  organization?: OrganizationNames,
): NameCheck => {
  const added = noNames();
  const refusals = uses.map((use) => {
    const names = newNamesOf(use, listed, added);
    if (names === undefined) return [];
    const reasons = [
      ...projectReasons(use.place, names, { listed, added }, limits),
      ...(organization === undefined ? [] : organizationReasons(use.place, names, added, organization)),
    ];
    if (reasons.length === 0)
      for (const kind of nameKinds) for (const name of names[kind]) added[kind].add(name);
    return reasons;
  });
  return { refusals, added };
};

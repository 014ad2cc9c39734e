import type { OrganizationNameLimits } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { organizationNamesKey, platformLabels } from "@ikg/physical";
import type { OrganizationNames } from "./check-name-limits.ts";
import type { NamesByKind } from "./name-use.ts";
import { lockNamesText, setNamesText } from "./statements.ts";

/** The list of an organization, locked by a transaction. */
export interface LockedOrganizationNames extends OrganizationNames {
  /** Adds names of a project. @param countedTypes how many of its node types are counted already. */
  add(names: readonly NamesByKind[], countedTypes: number): Promise<void>;
}

const lists = ["property_names", "relationship_types"] as const;

/**
 * Locks the list of names that the projects of an organization have in the shared database. It outlives them: what a deleted project had
 * stays in the store.
 */
export const lockOrganizationNames = async (
  tx: Transaction,
  {
    organizationId,
    organizationNames: limits,
  }: {
    readonly organizationId: string;
    readonly organizationNames: OrganizationNameLimits;
  },
  now: number,
): Promise<LockedOrganizationNames> => {
  const key = organizationNamesKey(organizationId);
  const [row = {}] = await tx.run(lockNamesText, { key, now });
  const listed = {
    property_names: new Set((row["property_names"] ?? []) as string[]), // written below
    relationship_types: new Set((row["relationship_types"] ?? []) as string[]),
  };
  const labels = Number(row["labels"] ?? 0);
  return {
    listed,
    labels,
    limits,
    add: async (names, countedTypes) => {
      const fields: Record<string, unknown> = {};
      for (const kind of lists) {
        const all = new Set([...listed[kind], ...names.flatMap((each) => [...each[kind]])]);
        if (all.size > listed[kind].size) fields[kind] = [...all];
      }
      const types = names.reduce((sum, each) => sum + each.node_types.size, -countedTypes);
      if (types > 0) fields["labels"] = labels + types;
      if (Object.keys(fields).length > 0) await tx.run(setNamesText, { key, fields });
    },
  };
};

/**
 * Counts the labels that a new project has in the shared database before anything is written to it.
 *
 * @returns why the project cannot be created; undefined when its labels fit.
 */
export const reserveProjectLabels = async (
  tx: Transaction,
  organizationId: string,
  organizationNames: OrganizationNameLimits,
  now: number,
): Promise<string | undefined> => {
  const { labels, limits } = await lockOrganizationNames(tx, { organizationId, organizationNames }, now);
  if (labels + platformLabels > limits.node_types)
    return `organization_id: the projects of the organization, deleted ones included, have ${labels} labels and cannot take ${platformLabels} more (limit ORGANIZATION_NODE_TYPES, ${limits.node_types})`;
  const fields = { labels: labels + platformLabels };
  await tx.run(setNamesText, { key: organizationNamesKey(organizationId), fields });
  return undefined;
};

import type { CatalogProject } from "@ikg/catalog";
import { defaultOrganizationNames, effectiveLimits, newGid } from "@ikg/contracts";
import type { ProjectKey } from "@ikg/physical";

/** A project of a test's own in the shared database, under this key. */
export const projectOf = (pk: ProjectKey): CatalogProject => ({
  id: newGid("project"),
  organizationId: newGid("organization"),
  pk,
  ikgStatus: "ACTIVE",
  connection: undefined,
  composite: undefined,
  limits: effectiveLimits(undefined),
  organizationNames: defaultOrganizationNames,
});

/** A variable that says where the databases of the test are. */
export const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: integration tests need a running backend`);
  return value;
};

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

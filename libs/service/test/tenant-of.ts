import type { Tenant } from "@ikg/concurrency";

/** A project of a test, in an organization of its own unless one is named. */
export const tenantOf = (id: string, organizationId = `organization of ${id}`): Tenant => ({
  id,
  organizationId,
});

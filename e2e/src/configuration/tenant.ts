import type { NewProject } from "@ikg/client";
import type { Permission } from "@ikg/contracts";
import { environment } from "../environment.ts";
import { freshName } from "../fresh-name.ts";
import { openAdmin } from "../requests/clients.ts";
import { createAgent, type Agent } from "./create-agent.ts";

/** A project of a test's own with one application and one agent that may do everything. */
export interface Tenant extends Agent {
  readonly projectId: string;
  readonly applicationId: string;
  remove(): Promise<void>;
}

const everything: readonly Permission[] = ["Capture", "Authorization", "ContXIQ"];

/**
 * Makes project, application, agent and key. The caller calls `remove` at the end.
 *
 * @param more fields of the project.
 */
export const createTenant = async (stem: string, more: Partial<NewProject> = {}): Promise<Tenant> => {
  const { id: projectId } = await openAdmin().projects.create({
    name: freshName(stem),
    organization_id: environment().organization_id,
    ...more,
  });
  const remove = () => openAdmin().projects.delete(projectId);
  try {
    const application = await openAdmin(projectId).applications.create({ name: "app" });
    const agent = await createAgent(application.id, everything);
    return { ...agent, projectId, applicationId: application.id, remove };
  } catch (error) {
    await remove();
    throw error;
  }
};

/** As `createTenant`, with what `fill` writes into the project. Removes it again if that fails. */
export const createFilledTenant = async (
  stem: string,
  fill: (tenant: Tenant) => Promise<unknown>,
  more: Partial<NewProject> = {},
): Promise<Tenant> => {
  const tenant = await createTenant(stem, more);
  try {
    await fill(tenant);
    return tenant;
  } catch (error) {
    await tenant.remove();
    throw error;
  }
};

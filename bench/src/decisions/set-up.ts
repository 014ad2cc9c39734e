/** A project of the measurement's own, filled through the public API. */
import type { Driver } from "neo4j-driver";
import { captureGraph } from "../capture-graph.ts";
import { openAdmin } from "../clients.ts";
import { agentPermissions, makeAgent, makeProject, type Project } from "../project.ts";
import { projectKey } from "../project-key.ts";
import type { Target } from "../settings.ts";
import { type Data, policy } from "./data.ts";

/** Calls `created` as soon as there is a project, so that it can be deleted whatever happens next. */
export const setUp = async (
  target: Target,
  driver: Driver,
  data: Data,
  created: (projectId: string) => void,
): Promise<Project> => {
  const id = await makeProject(target, "decisions");
  created(id);
  const agent = await makeAgent(target, id, agentPermissions);
  await openAdmin(target, id).policies.create({ name: "read-own", policy, status: "ACTIVE", tags: [] });
  await captureGraph(target, agent.apiKey, data);
  const pk = await projectKey(driver, id);
  return { id, pk, agent };
};

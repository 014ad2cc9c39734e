/** Projects of the measurement's own: policies and agents by the public API, data by the raw driver. */
import type { Driver } from "neo4j-driver";
import { openAdmin } from "../clients.ts";
import { type Graph, nodeCount, relationshipCount } from "../drive/graph.ts";
import { policies } from "../drive/rules.ts";
import { writeGraph } from "../drive/write-graph.ts";
import { countText } from "../targets.ts";
import { agentPermissions, makeAgent, makeProject, type Project } from "../project.ts";
import { projectKey } from "../project-key.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";

/** Calls `created` as soon as there is a project, so that it can be deleted whatever happens next. */
export const setUp = async (
  target: Target,
  driver: Driver,
  name: string,
  graph: Graph,
  created: (projectId: string) => void,
): Promise<Project> => {
  const id = await makeProject(target, name);
  created(id);
  const agent = await makeAgent(target, id, agentPermissions);
  const admin = openAdmin(target, id);
  for (const policy of policies) await admin.policies.create({ ...policy, status: "ACTIVE", tags: [] });
  const pk = await projectKey(driver, id);
  const started = performance.now();
  await writeGraph(driver, pk, graph);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  say(
    `${name}: ${countText(nodeCount(graph))} nodes and ${countText(relationshipCount(graph))} relationships in ${seconds} s`,
  );
  return { id, pk, agent };
};

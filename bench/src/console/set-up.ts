/** A project with a graph that is just small enough to be drawn. */
import { captureGraph } from "../capture-graph.ts";
import { makeAgent, makeProject } from "../project.ts";
import type { Target } from "../settings.ts";
import { plan } from "./plan.ts";

const club = { type: "Club", external_id: "most" };
const member = (at: number) => ({ type: "Member", external_id: `m${at}` });

/** @param onProject called with the gid of the project before anything else can fail. @returns it */
export const setUp = async (target: Target, onProject: (id: string) => void): Promise<string> => {
  const projectId = await makeProject(target, "console");
  onProject(projectId);
  const { apiKey } = await makeAgent(target, projectId, ["Capture"]);
  const members = Array.from({ length: plan.members }, (_, at) => member(at));
  await captureGraph(target, apiKey, {
    nodes: [club, ...members],
    relationships: members.map((source) => ({ source, type: "IN", target: club })),
  });
  return projectId;
};

/** What a thousand open sessions cost: the growth of the service that serves them and of the Redis that keeps them. */
import type { Issuer } from "../auth/issuer.ts";
import { watchMemory } from "../memory.ts";
import type { Target } from "../settings.ts";
import { type Endpoint, openSession } from "./asks.ts";
import { sessionsPlan } from "./plan.ts";
import type { McpProject } from "./set-up.ts";

export interface SessionsCost {
  readonly opened: number;
  /** megabytes more than before */
  readonly mcp: number;
  readonly redis: number;
}

/** As many as one subject may have, for each of some subjects. */
const openFor = async (
  endpoint: Endpoint,
  project: McpProject,
  issuer: Issuer,
  subjects: number,
): Promise<number> => {
  const bearers = await Promise.all(Array.from({ length: subjects }, () => issuer.sign()));
  let opened = 0;
  for (const bearer of bearers) {
    for (let each = 0; each < sessionsPlan.ofEach; each++) {
      await openSession(endpoint, project, bearer);
      opened++;
    }
  }
  return opened;
};

export const measureSessions = async (
  target: Target,
  endpoint: Endpoint,
  project: McpProject,
  issuer: Issuer,
): Promise<SessionsCost> => {
  // What the first ones cost is code that was not yet compiled, and a heap that grows once to the size that it works in.
  await openFor(endpoint, project, issuer, sessionsPlan.warmUp);
  const { result: opened, samples } = await watchMemory(target, ["mcp", "redis"], () =>
    openFor(endpoint, project, issuer, sessionsPlan.subjects),
  );
  const grown = (name: "mcp" | "redis"): number =>
    Math.max(0, (samples.at(-1)?.resident[name] ?? 0) - (samples[0]?.resident[name] ?? 0));
  return { opened, mcp: grown("mcp"), redis: grown("redis") };
};

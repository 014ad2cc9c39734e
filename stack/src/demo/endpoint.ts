/** The demo's MCP endpoint: an AI agent asks and queries as the person whose token it brings. */
import type { IkgAdmin } from "@ikg/client";
import { UserError } from "../../launch/user-error.mjs";
import { attempt } from "./attempt.ts";

const name = "archive-agents";

/** True: it was made just now. */
export const ensureEndpoint = async (admin: IkgAdmin): Promise<boolean> => {
  const there = await attempt(() => admin.mcpServers.list());
  if (there.some((server) => server.name === name)) return false;
  const [introspect] = await attempt(() => admin.introspects.list());
  const [agent] = await attempt(() => admin.agents.list());
  if (introspect === undefined || agent === undefined)
    throw new UserError("The demo's agent or token issuer is gone; npm start makes it again.");
  await attempt(() =>
    admin.mcpServers.create({
      name,
      display_name: "The archive, for AI agents",
      app_agent_id: agent.id,
      token_introspect_id: introspect.id,
      enabled: true,
      scopes_supported: ["reel:read"],
    }),
  );
  return true;
};

export const removeEndpoint = async (admin: IkgAdmin): Promise<void> => {
  for (const { id } of await attempt(() => admin.mcpServers.list()))
    await attempt(() => admin.mcpServers.delete(id));
};

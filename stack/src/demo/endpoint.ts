/** The demo's MCP endpoint: an AI agent asks and queries as the person whose token it brings. */
import { ensureRecord, type Records } from "./records.ts";

const collection = "mcp-servers";
const name = "archive-agents";

/** True: it was made just now. */
export const ensureEndpoint = async (records: Records, projectId: string): Promise<boolean> => {
  const parent = { project_id: projectId };
  const there = await records.list(collection, parent);
  if (there.some((server) => server.name === name)) return false;
  const [introspect] = await records.list("token-introspects", parent);
  const [agent] = await records.list("application-agents", parent);
  await ensureRecord(records, collection, parent, {
    name,
    display_name: "The archive, for AI agents",
    app_agent_id: agent?.id,
    token_introspect_id: introspect?.id,
    enabled: true,
    scopes_supported: ["reel:read"],
  });
  return true;
};

export const removeEndpoint = async (records: Records, projectId: string): Promise<void> => {
  for (const { id } of await records.list(collection, { project_id: projectId }))
    await records.remove(collection, id);
};

import { mcpServerCollection } from "@ikg/contracts";
import type { Collection } from "../records/collection.ts";

export const mcpServers: Collection<typeof mcpServerCollection.fields> = {
  ...mcpServerCollection,
  uniqueKey: (_body, projectId) => ({
    key: `mcp_server/${projectId}`,
    fault: "project_id: the project has an MCP server",
  }),
};

import { type Process, startBeside } from "./beside.ts";
import { environment } from "./environment.ts";

/** One more mcp on the databases of the suite, reached by a gateway of its own, as every mcp is. */
export interface McpBeside {
  /** Address of the gateway. */
  readonly base: string;
  readonly mcp: Process;
  stop(): Promise<void>;
}

const nobody = "http://127.0.0.1:1";

/** @param settings of the mcp; without them its tools reach no service. */
export const startMcpBeside = async (settings: Readonly<Record<string, string>>): Promise<McpBeside> => {
  const mcp = await startBeside("mcp", {
    UPSTREAM_ACCESS: nobody,
    UPSTREAM_CIQ: nobody,
    PUBLIC_URL: environment().base_url,
    DRAIN_DELAY_MS: "0",
    ...settings,
  });
  const gateway = await startBeside("gateway", {
    UPSTREAM_CONFIGS: nobody,
    UPSTREAM_CAPTURE: nobody,
    UPSTREAM_ACCESS: nobody,
    UPSTREAM_CIQ: nobody,
    UPSTREAM_MCP: `http://127.0.0.1:${mcp.port}`,
    DRAIN_DELAY_MS: "0",
  });
  return {
    base: `http://127.0.0.1:${gateway.port}`,
    mcp,
    stop: async () => {
      await gateway.stop();
      await mcp.stop();
    },
  };
};

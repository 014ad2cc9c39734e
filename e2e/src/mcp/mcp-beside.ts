import { environment } from "../environment.ts";
import { type Process, startBeside } from "../suites/start-beside.ts";

const unreachable = "http://127.0.0.1:1";

const addressOf = ({ port }: Process): string => `http://127.0.0.1:${port}`;

/** @param settings without any its tools reach no service. */
export const startMcp = (settings: Readonly<Record<string, string>>): Promise<Process> =>
  startBeside("mcp", {
    UPSTREAM_ACCESS: unreachable,
    UPSTREAM_CIQ: unreachable,
    PUBLIC_URL: environment().base_url,
    DRAIN_DELAY_MS: "0",
    ...settings,
  });

/** A gateway that reaches this mcp alone. */
export const startGatewayBefore = (mcp: Process): Promise<Process> =>
  startBeside("gateway", {
    UPSTREAM_CONFIGS: unreachable,
    UPSTREAM_CAPTURE: unreachable,
    UPSTREAM_ACCESS: unreachable,
    UPSTREAM_CIQ: unreachable,
    UPSTREAM_MCP: addressOf(mcp),
    DRAIN_DELAY_MS: "0",
  });

/** One more mcp on the databases of the suite, reached by a gateway of its own, as every mcp is. */
export interface McpBeside {
  /** Address of the gateway. */
  readonly base: string;
  readonly mcp: Process;
  stop(): Promise<void>;
}

export const startMcpBeside = async (settings: Readonly<Record<string, string>>): Promise<McpBeside> => {
  const mcp = await startMcp(settings);
  const gateway = await startGatewayBefore(mcp);
  return {
    base: addressOf(gateway),
    mcp,
    stop: async () => {
      await gateway.stop();
      await mcp.stop();
    },
  };
};

import type { z } from "zod";
import type { ServerLimits } from "@ikg/service";
import type { GatewaySettings } from "./settings.ts";

/** What the gateway's HTTP server allows a client, who need not have a credential. */
export const serverLimits = (settings: z.output<typeof GatewaySettings>): Partial<ServerLimits> => ({
  headersMs: settings.HEADERS_MS,
  anonymousMs: settings.ANONYMOUS_BODY_MS,
  pipelined: settings.PIPELINED_REQUESTS,
  connections: { inAll: settings.MAX_CONNECTIONS, perAddress: settings.MAX_CONNECTIONS_PER_ADDRESS },
});

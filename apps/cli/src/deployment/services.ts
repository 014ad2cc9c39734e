import type { Connection } from "../connection/connection.ts";
import { addressOf, probe } from "./probe.ts";

export type ServiceState = "up" | "down" | "unknown";

interface ProbeRequest {
  readonly path: string;
  /** The credential that the gateway requires for the service. */
  readonly as: "token" | "key" | "none";
  readonly init?: RequestInit;
}

/** A read-only request for each service; any response of the service shows that it is up. */
const probeRequests: Readonly<Record<string, ProbeRequest>> = {
  gateway: { path: "/readyz", as: "none" },
  configs: { path: "/configs/v1/organizations/current", as: "token" },
  access: {
    path: "/access/v1/evaluation",
    as: "key",
    init: { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" },
  },
  ciq: { path: "/ciq/v1/whoami", as: "key" },
  capture: { path: "/capture/v1/imports", as: "key" },
  audit: { path: "/audit/v1/checkpoints?pagesize=1", as: "token" },
};

const headersOf = (
  connection: Connection,
  { as, init }: ProbeRequest,
): Record<string, string> | undefined => {
  const given = (init?.headers ?? {}) as Record<string, string>; // written above
  if (as === "none") return given;
  const { token, clientKey } = connection;
  if (as === "token") return token === undefined ? undefined : { ...given, Authorization: `Bearer ${token}` };
  return clientKey === undefined ? undefined : { ...given, "X-SVC-ClientKey": clientKey };
};

const stateOf = (status: number | undefined): ServiceState => {
  if (status === undefined || status >= 500) return "down";
  // The gateway itself responds with these.
  return status === 401 || status === 403 || status === 429 ? "unknown" : "up";
};

/** The states of services by requests through the gateway; unknown without a credential for them. */
export const serviceStates = async (
  connection: Connection,
): Promise<Readonly<Record<string, ServiceState>>> => {
  const entries = await Promise.all(
    Object.entries(probeRequests).map(async ([name, request]) => {
      const headers = headersOf(connection, request);
      if (headers === undefined) return [name, "unknown"] as const;
      const { status } = await probe(addressOf(connection, request.path), { ...request.init, headers });
      // Without a user token, the 401 comes from ciq itself.
      return [name, name === "ciq" && status === 401 ? "up" : stateOf(status)] as const;
    }),
  );
  return Object.fromEntries(entries);
};

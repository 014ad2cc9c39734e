import type { z } from "zod";
import { maxChangesBytes } from "@ikg/contracts";
import { reportedBreakers } from "@ikg/egress";
import { defaultBodyLimit, type Service, upstreamTlsReport } from "@ikg/service";
import type { UpstreamName } from "../gateway.ts";
import type { GatewaySettings } from "../settings.ts";
import type { GuardedUpstream } from "./forward-request.ts";
import type { Limits } from "./transport.ts";
import { isCallerFailure } from "./upstream-failure.ts";
import { openUpstream, type Upstream, type UpstreamSockets } from "./upstream.ts";

type Settings = z.output<typeof GatewaySettings>;
type SocketSettings = Pick<Settings, "UPSTREAM_SOCKETS" | "MAX_CONNECTIONS">;
type Parts = Pick<Service, "log" | "metrics" | "onClose" | "internalTls">;

/** Bytes of a body, by upstream, where it is not the limit of every service. */
const bodyLimits: ReadonlyMap<string, number> = new Map([
  ["capture", 10 * 1024 * 1024],
  ["configs", maxChangesBytes],
]);

/** A deployment may go without the mcp service, which has no operations of its own in the table, and without audit. */
export type Upstreams = Readonly<Record<Exclude<UpstreamName, "audit">, GuardedUpstream>> & {
  readonly mcp: GuardedUpstream | undefined;
  readonly audit: GuardedUpstream | undefined;
};

/** @returns the map whose upstreams the gauge of connections reports. */
const registerConnectionGauge = ({ metrics }: Parts): Map<string, Upstream> => {
  const upstreams = new Map<string, Upstream>();
  metrics.gauge(
    "ikg_upstream_connections",
    "Connections to a service by state, and requests that wait for one.",
    ["upstream", "state"],
    (gauge) => {
      for (const [name, upstream] of upstreams) {
        const { inUse, idle, waiting } = upstream.connections();
        gauge.set({ upstream: name, state: "in_use" }, inUse);
        gauge.set({ upstream: name, state: "idle" }, idle);
        gauge.set({ upstream: name, state: "waiting" }, waiting);
      }
    },
  );
  return upstreams;
};

const serviceLimits = (name: UpstreamName | "mcp", settings: Settings, waitMs: number): Limits => ({
  body: bodyLimits.get(name) ?? defaultBodyLimit,
  bodyMs: name === "capture" ? settings.CAPTURE_BODY_MS : settings.BODY_MS,
  waitMs,
  streamBytesPerSecond: settings.STREAM_BYTES_PER_SECOND,
});

/**
 * Streams of mcp stay open while their clients listen, and mcp limits them itself: as many as clients may be connected at all, so that
 * no other request waits until one of them ends.
 */
export const upstreamSockets = (
  name: UpstreamName | "mcp",
  { UPSTREAM_SOCKETS: sockets, MAX_CONNECTIONS: connections }: SocketSettings,
): UpstreamSockets => ({
  pooled: sockets,
  streaming: name === "mcp" ? Math.max(sockets, connections) : sockets,
});

/** Opens the connections to every service, each with a circuit breaker of its own. */
export const openUpstreams = (settings: Settings, service: Parts): Upstreams => {
  const openBreaker = reportedBreakers(service);
  const upstreams = registerConnectionGauge(service);
  const openGuarded = (name: UpstreamName | "mcp", target: string, waitMs: number): GuardedUpstream => {
    const upstream = openUpstream(target, upstreamSockets(name, settings), {
      files: service.internalTls,
      onError: upstreamTlsReport(name, service.log),
    });
    upstreams.set(name, upstream);
    const breaker = openBreaker(name, {
      volumeThreshold: 10,
      resetMs: settings.CIRCUIT_RESET_MS,
      ignores: isCallerFailure,
    });
    service.onClose(`upstream ${name}`, async () => {
      breaker.shutdown();
      upstream.close();
    });
    return { upstream, breaker, limits: serviceLimits(name, settings, waitMs) };
  };
  const optional = (name: "mcp" | "audit", target: string | undefined, waitMs: number) =>
    target === undefined ? undefined : openGuarded(name, target, waitMs);
  return {
    configs: openGuarded("configs", settings.UPSTREAM_CONFIGS, settings.LIMIT_CONFIGS_MS),
    capture: openGuarded("capture", settings.UPSTREAM_CAPTURE, settings.LIMIT_CAPTURE_MS),
    access: openGuarded("access", settings.UPSTREAM_ACCESS, settings.LIMIT_ACCESS_MS),
    ciq: openGuarded("ciq", settings.UPSTREAM_CIQ, settings.LIMIT_CIQ_MS),
    mcp: optional("mcp", settings.UPSTREAM_MCP, settings.LIMIT_MCP_MS),
    audit: optional("audit", settings.UPSTREAM_AUDIT, settings.LIMIT_AUDIT_MS),
  };
};

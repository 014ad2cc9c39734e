import type { z } from "zod";
import { maxChangesBytes } from "@ikg/contracts";
import { openBreaker } from "@ikg/egress";
import { defaultBodyLimit, type Service } from "@ikg/service";
import type { UpstreamName } from "./gateway.ts";
import { type GuardedUpstream, isCallersFailure } from "./proxy-request.ts";
import type { GatewaySettings } from "./settings.ts";
import { openUpstream, type Upstream } from "./upstream.ts";

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

/** Opens the way to every service, each with a circuit breaker of its own. */
export const openUpstreams = (
  settings: z.output<typeof GatewaySettings>,
  service: Pick<Service, "log" | "metrics" | "onClose">,
): Upstreams => {
  const open = service.metrics.gauge("ikg_circuit_open", "1 while calls to a service are refused.", [
    "upstream",
  ]);
  const upstreams = new Map<string, Upstream>();
  service.metrics.gauge(
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
  const guarded = (name: UpstreamName | "mcp", target: string, waitMs: number): GuardedUpstream => {
    const upstream = openUpstream(target, settings.UPSTREAM_SOCKETS);
    upstreams.set(name, upstream);
    open.set({ upstream: name }, 0);
    const breaker = openBreaker(
      name,
      { volumeThreshold: 10, resetMs: settings.CIRCUIT_RESET_MS, ignores: isCallersFailure },
      {
        onOpen: () => {
          service.log.warn("circuit open", { upstream: name });
          open.set({ upstream: name }, 1);
        },
        onClose: () => {
          service.log.info("circuit closed", { upstream: name });
          open.set({ upstream: name }, 0);
        },
      },
    );
    service.onClose(`upstream ${name}`, async () => {
      breaker.shutdown();
      upstream.close();
    });
    const body = bodyLimits.get(name) ?? defaultBodyLimit;
    const bodyMs = name === "capture" ? settings.CAPTURE_BODY_MS : settings.BODY_MS;
    return {
      upstream,
      breaker,
      limits: { body, bodyMs, waitMs, streamBytesPerSecond: settings.STREAM_BYTES_PER_SECOND },
    };
  };
  return {
    configs: guarded("configs", settings.UPSTREAM_CONFIGS, settings.LIMIT_CONFIGS_MS),
    capture: guarded("capture", settings.UPSTREAM_CAPTURE, settings.LIMIT_CAPTURE_MS),
    access: guarded("access", settings.UPSTREAM_ACCESS, settings.LIMIT_ACCESS_MS),
    ciq: guarded("ciq", settings.UPSTREAM_CIQ, settings.LIMIT_CIQ_MS),
    mcp:
      settings.UPSTREAM_MCP === undefined
        ? undefined
        : guarded("mcp", settings.UPSTREAM_MCP, settings.LIMIT_MCP_MS),
    audit:
      settings.UPSTREAM_AUDIT === undefined
        ? undefined
        : guarded("audit", settings.UPSTREAM_AUDIT, settings.LIMIT_AUDIT_MS),
  };
};

import type { Express } from "express";
import type { Redis } from "ioredis";
import { openRefusalPace } from "@ikg/concurrency";
import type { ServiceName } from "@ikg/contracts";
import { type AppParts, closeApp, listenerOf, messagesOf, mountRoutes, newExpress } from "../http/app.ts";
import { openRepeatedRefusals } from "../audit/repeated-refusals.ts";
import { type AuditTrail, openAuditTrail } from "../audit/trail.ts";
import { boundedBodies, type ReadBody } from "../http/body.ts";
import { openBodyMemory } from "../limits/body-memory.ts";
import { openBodyPace } from "../limits/body-pace.ts";
import { type GraphHooks, graphHooks } from "../metrics/graph-hooks.ts";
import { openHealth } from "./health.ts";
import type { ContextSettings } from "../contexts/context-settings.ts";
import { type ContextOf, openInternalContexts } from "../contexts/internal-contexts.ts";
import { openInternalTls } from "../internal-tls/files.ts";
import { handshakeReport, peersBy } from "../internal-tls/peers.ts";
import type { InternalTlsSettings } from "../internal-tls/settings.ts";
import { Lifecycle } from "./lifecycle.ts";
import { type Logger, openLog } from "../logs/log.ts";
import { type Metrics, openMetrics } from "../metrics/metrics.ts";
import { checkRoutes } from "../http/check-routes.ts";
import { isUnreachable } from "../redis/redis-errors.ts";
import { openRedis } from "../redis/redis.ts";
import { openReplicaReports } from "../replicas/report-replica.ts";
import { requestSignals } from "../http/request-signals.ts";
import type { Route } from "../http/route.ts";
import { drainableServer, type ServerTls } from "../http/server.ts";
import type { TlsFiles } from "@ikg/tls";
import type { ServerLimits } from "../http/server-limits.ts";
import type { BaseSettings } from "../settings/settings.ts";
import { openRequestUsage } from "../metrics/request-usage.ts";
import { giveUpStore } from "../settings/store-tls.ts";
import { openTracing } from "../tracing/open-tracing.ts";
import type { Tracing } from "../tracing/tracing.ts";

/** One running process: its log, metrics, traces and HTTP server. It also is the hooks of `connectGraph`. */
export interface Service extends GraphHooks {
  readonly name: ServiceName;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Connects with its first command. For commands only: a subscriber takes a `duplicate()`. */
  readonly redis: Redis;
  /** For handlers that are not a `Route`, and for work without a request. */
  readonly trail: AuditTrail;
  /** For handlers that are not a `Route`: reads a body within the memory that the process has for bodies. */
  readonly readBody: ReadBody;
  /** For handlers that are not a `Route`: the caller of a request and its network address. */
  readonly internalContextOf: ContextOf;
  /** Certificates for calls between services; undefined without any. */
  readonly internalTls: TlsFiles | undefined;
  /** For handlers that are not a `Route`, such as the gateway's proxy. Anything thrown becomes an error envelope. */
  readonly app: Express;
  mount(...routes: readonly Route[]): void;
  /** A store without which the process is not ready; a check takes at most 2 s. */
  onReadyCheck(name: string, check: () => Promise<boolean>): void;
  /** Called when the drain begins: ends streams that have no end of their own. */
  onStopping(end: () => void): void;
  /**
   * Called in reverse order after the drain. The process ends CLOSE_SECONDS later at the latest, so unfinished work must
   * be such that another process can resume it.
   */
  onClose(name: string, close: () => Promise<void>): void;
  /**
   * Listens, waits until every ready check passes, and logs one line.
   *
   * @returns the port, which matters when the setting was 0.
   * @throws StartError when the port is taken or a store is unreachable for START_TIMEOUT_SECONDS.
   */
  listen(): Promise<{ readonly port: number }>;
  /**
   * Drains and closes: not ready first, running requests at most DRAIN_SECONDS, then what `onClose` collected, at most
   * CLOSE_SECONDS. The grace period of every deployment is longer than all of it.
   */
  close(): Promise<void>;
}

/** How long a request waits for memory for its body; shorter than the timeout of any client. */
const bodyWaitMs = 4_000;

/** How long equal refusals of callers share a record, in milliseconds. */
const refusalWindowMs = 60_000;

/** Services of this process that listen; a signal to the process closes them. */
export const running = new Set<Service>();

type Settings = BaseSettings & ContextSettings & InternalTlsSettings;

/** The gateway lacks this setting: its TLS is terminated by the load balancer. */
const isCalledByServices = ({ INTERNAL_TLS_REQUIRE_CLIENT_CERTIFICATE: required }: Settings): boolean =>
  required !== undefined;

const serverTls = (files: TlsFiles | undefined, settings: Settings, log: Logger): ServerTls | undefined =>
  files?.current().cert === undefined || !isCalledByServices(settings)
    ? undefined
    : { files, onFault: handshakeReport(log) };

/** Reads bodies within the memory and the pace that a process allows. */
const openBodies = (settings: BaseSettings, onRefused: (limit: string) => void): ReadBody => {
  const { BODY_BYTES: total, BODY_BYTES_PER_PROJECT: perProject } = settings;
  const memory = openBodyMemory({ total, perProject, waitMs: bodyWaitMs }, onRefused);
  const pace = openBodyPace({ bytesPerSecond: settings.BODY_BYTES_PER_SECOND }, onRefused);
  return boundedBodies({ memory, pace, waitMs: bodyWaitMs });
};

/**
 * Ready check that requires Redis until it was reached once. Later outages of Redis affect all replicas alike, and a replica that
 * reported itself unready would also stop answering requests that need no Redis.
 */
const connectedOnce = (redis: Redis): (() => Promise<boolean>) => {
  let wasConnected = false;
  return async () => {
    if (!wasConnected && (await redis.ping()) === "PONG") wasConnected = true;
    return wasConnected;
  };
};

/** Opens what every request of a process needs. */
const openParts = async (name: ServiceName, settings: Settings) => {
  const log = openLog(name, settings.LOG_LEVEL);
  const internalTls = await openInternalTls(settings, log);
  const metrics = openMetrics(name, settings.METRICS_PROJECTS);
  const health = openHealth();
  const tracing = await openTracing(name);
  const lifecycle = new Lifecycle({ log, metrics, health }, settings);
  const redis = openRedis(settings.REDIS_URL, log, (fault) =>
    giveUpStore("redis", "REDIS_URL", fault, lifecycle.giveUp),
  );
  metrics.gauge("ikg_redis_connected", "1 while the process is connected to Redis, else 0.", [], (gauge) =>
    gauge.set(isUnreachable(redis) ? 0 : 1),
  );
  const onRefused = metrics.refusals();
  const trail = openAuditTrail(name, redis, log, metrics, settings);
  const app: AppParts = {
    log,
    metrics,
    health,
    tracing,
    contextOf: openInternalContexts(name, settings, log),
    signalOf: requestSignals(lifecycle.deadline.signal),
    readBody: openBodies(settings, onRefused),
    trail,
    refusals: openRepeatedRefusals(trail, refusalWindowMs),
    usage: openRequestUsage(metrics),
    refusalPace: openRefusalPace(),
    admitsPeer: peersBy(settings, log),
  };
  return { app, redis, lifecycle, onRefused, internalTls };
};

/**
 * Makes the app of a service; nothing listens before `listen`.
 *
 * @param limits of its HTTP server, where they are not those of every service.
 */
export const startService = async (
  name: ServiceName,
  settings: Settings,
  limits: Partial<ServerLimits> = {},
): Promise<Service> => {
  const { app: parts, redis, lifecycle, onRefused, internalTls } = await openParts(name, settings);
  const { log, metrics, health, tracing, trail, readBody, contextOf } = parts;
  const { closers, enders, giveUp: onFatal } = lifecycle;
  const app = newExpress();
  const reports = openReplicaReports({ service: name, redis, health, log });
  const server = drainableServer(listenerOf(app, parts), {
    messages: messagesOf(app),
    limits: { connections: { total: settings.MAX_CONNECTIONS, perAddress: Infinity }, ...limits },
    onRefused,
    tls: serverTls(internalTls, settings, log),
  });
  const service: Service = {
    ...graphHooks({ log, metrics, tracing, redis, slowMs: settings.SLOW_STATEMENT_MS, onFatal }),
    name,
    log,
    metrics,
    tracing,
    redis,
    trail,
    readBody,
    internalContextOf: contextOf,
    internalTls,
    app,
    mount: (...routes) => {
      checkRoutes(name, routes);
      mountRoutes(app, routes, parts);
    },
    onReadyCheck: (check, passes) => health.addCheck(check, passes),
    onStopping: (end) => void enders.push(end),
    onClose: (part, close) => closers.add(part, close),
    listen: async () => {
      running.add(service);
      closeApp(app, parts);
      const listening = await lifecycle.listen(server);
      reports.start();
      return listening;
    },
    close: () => lifecycle.close(server, () => running.delete(service)),
  };
  closers.add("certificates", async () => internalTls?.close());
  closers.add("traces", () => tracing.close());
  service.onReadyCheck("redis", connectedOnce(redis));
  closers.add("redis", async () => redis.disconnect());
  closers.add("records of refused callers", () => parts.refusals.close());
  closers.add("report of this process", () => reports.close());
  return service;
};

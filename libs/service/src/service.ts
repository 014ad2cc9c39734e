import type { Express } from "express";
import type { Redis } from "ioredis";
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { ServiceName } from "@ikg/contracts";
import { type AppParts, closeApp, listenerOf, messagesOf, mountRoutes, newExpress } from "./app.ts";
import { type AuditTrail, openAuditTrail } from "./audit/trail.ts";
import { boundedBodies, type ReadBody } from "./body.ts";
import { openBodyMemory } from "./body-memory.ts";
import { openBodyPace } from "./body-pace.ts";
import { type DatabaseHooks, databaseNumbers } from "./database-numbers.ts";
import { type HeavyPlaces, openHeavyPlaces } from "./heavy-places.ts";
import { openHealth } from "./health.ts";
import { type Logger, openLog } from "./log.ts";
import { serveAdmin } from "./admin.ts";
import { type ContextOf, openInternalContexts } from "./internal-contexts.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { loggedRequestId } from "./request-id.ts";
import { openTracing } from "./tracing/open-tracing.ts";
import type { Tracing } from "./tracing/tracing.ts";
import { checkOperations } from "./operations.ts";
import { openRedis } from "./redis.ts";
import { openRefusedProjects } from "./refused-projects.ts";
import type { Route } from "./route.ts";
import { requestSignals } from "./request-signals.ts";
import { drainableServer, type ServerLimits } from "./server.ts";
import type { BaseSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";

/** A statement that took long, as a graph tells of it. */
interface SlowStatement {
  readonly statement: string;
  readonly plan: string | undefined;
  readonly ms: number;
  readonly rows: number;
  readonly failed: boolean;
  readonly requestId?: string | undefined;
}

/** One running process: what it logs with, counts with, and answers with. It also is the hooks of `connectGraph`. */
export interface Service extends DatabaseHooks {
  readonly name: ServiceName;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** From which duration on a statement is slow, in milliseconds; undefined: none is. */
  readonly slowMs: number | undefined;
  /** Hook of `connectGraph`: only traces read the asynchronous context of a caller. */
  readonly contextOf: (() => <T>(work: () => T) => T) | undefined;
  /** Hook of `connectGraph`: what the processes count together. */
  readonly heavyPlaces: HeavyPlaces;
  /** Hook of `connectGraph`: one line for each. */
  onSlow(slow: SlowStatement): void;
  /** Hook of `connectGraph`: such a server is no reason to wait, so the start is given up. */
  onOldServer(version: string): void;
  /** Hook of `connectGraph`: nor is this, and who asks again and again locks the user out for everybody. */
  onCredentialWrong(): void;
  /** Connects with its first command. For commands only: whoever subscribes takes a `duplicate()`. */
  readonly redis: Redis;
  /** For what is no `Route`, and for what a process does by itself. */
  readonly trail: AuditTrail;
  /** For what is no `Route`: reads a body within the memory that the process has for bodies. */
  readonly readBody: ReadBody;
  /** For what is no `Route`: who calls, from where. */
  readonly internalContextOf: ContextOf;
  /** For what is no `Route`: the gateway's proxy. Anything thrown becomes an envelope. */
  readonly app: Express;
  mount(...routes: readonly Route[]): void;
  /** A store without which the process is not ready; asked for at most 2 s. */
  onReadyCheck(name: string, check: () => Promise<boolean>): void;
  /** Called when the drain begins: ends what would otherwise go on for as long as its caller likes. */
  onStopping(end: () => void): void;
  /**
   * Called in reverse order after the drain. The process ends CLOSE_SECONDS later at the latest, so what is under way must
   * be such that another process can go on with it.
   */
  onClose(name: string, close: () => Promise<void>): void;
  /**
   * Listens, waits until every ready check passes, and logs one line.
   *
   * @returns the port, which matters when the setting was 0.
   * @throws StartError when the port is taken or a store stays away for START_TIMEOUT_SECONDS.
   */
  listen(): Promise<{ readonly port: number }>;
  /**
   * Drains and closes: not ready first, running requests at most DRAIN_SECONDS, then what `onClose` collected, at most
   * CLOSE_SECONDS. The grace period of every deployment is longer than all of it.
   */
  close(): Promise<void>;
}

/** How long a request waits until its body may be worked on; shorter than any caller of a service waits. */
const bodyWaitMs = 4_000;

/** Services of this process that listen; a signal to the process closes them. */
export const running = new Set<Service>();

/**
 * Makes the app of a service; nothing listens before `listen`.
 *
 * @param limits of its HTTP server, where they are not those of every service.
 */
export const startService = async (
  name: ServiceName,
  settings: BaseSettings,
  limits: Partial<ServerLimits> = {},
): Promise<Service> => {
  const log = openLog(name, settings.LOG_LEVEL);
  const metrics = openMetrics(name);
  const health = openHealth();
  const tracing = await openTracing(name);
  const redis = openRedis(settings.REDIS_URL, log);
  const deadline = new AbortController();
  const trail = openAuditTrail(name, redis, log, metrics, settings);
  const refusals = metrics.refusals();
  const memory = openBodyMemory(
    { inAll: settings.BODY_BYTES, perOwner: settings.BODY_BYTES_PER_PROJECT, waitMs: bodyWaitMs },
    refusals,
  );
  const pace = openBodyPace({ bytesPerSecond: settings.BODY_BYTES_PER_SECOND }, refusals);
  const readBody = boundedBodies({ memory, pace, waitMs: bodyWaitMs });
  const contextOf = openInternalContexts(name, settings, log);
  const parts: AppParts = {
    log,
    metrics,
    health,
    tracing,
    contextOf,
    signalOf: requestSignals(deadline.signal),
    readBody,
    trail,
  };
  const numbers = databaseNumbers(metrics);
  const noteRefused = openRefusedProjects(log);
  const app = newExpress();
  const server = drainableServer(listenerOf(app, parts), {
    messages: messagesOf(app),
    limits: { connections: { inAll: settings.MAX_CONNECTIONS, perAddress: Infinity }, ...limits },
    onRefused: refusals,
  });
  const enders: (() => void)[] = [];
  const closers: { name: string; close: () => Promise<void> }[] = [];
  let closing: Promise<void> | undefined;

  /** Why waiting for the stores is of no use. */
  let fatalStartError: string | undefined;
  const giveUp = (reason: string, line: string, fields = {}): void => {
    if (fatalStartError !== reason) log.error(line, fields);
    fatalStartError = reason;
  };

  const awaitStores = async (): Promise<void> => {
    const until = Date.now() + settings.START_TIMEOUT_SECONDS * 1000;
    for (;;) {
      const failing = await health.failing();
      if (fatalStartError !== undefined) throw new StartError([fatalStartError]);
      if (failing.length === 0 || closing !== undefined) return;
      if (Date.now() > until)
        throw new StartError(
          failing.map(
            (store) =>
              `${store} is not reachable; is it running, and are ${store.toUpperCase()}_* set right?`,
          ),
        );
      await wait(200);
    }
  };

  /** Closes each part, whatever becomes of the others; waits for all of them together for CLOSE_SECONDS. */
  const closeParts = async (): Promise<void> => {
    const done = new AbortController();
    let isLate = false;
    const late = wait(settings.CLOSE_SECONDS * 1000, undefined, { signal: done.signal }).then(
      () => void (isLate = true),
      () => undefined,
    );
    for (const { name, close } of closers.toReversed()) {
      const wasLate = isLate;
      try {
        await Promise.race([close(), late]);
        // Those after it are closed and not waited for.
        if (isLate && !wasLate) log.warn(`closing ${name} takes too long`);
      } catch (error) {
        log.warn(`closing ${name} failed`, { error });
      }
    }
    done.abort();
  };

  const service: Service = {
    name,
    log,
    metrics,
    redis,
    trail,
    readBody,
    internalContextOf: contextOf,
    app,
    mount: (...routes) => {
      checkOperations(name, routes);
      mountRoutes(app, routes, parts);
    },
    onReadyCheck: (check, passes) => health.addCheck(check, passes),
    onStopping: (end) => void enders.push(end),
    onClose: (part, close) => void closers.push({ name: part, close }),
    tracing,
    heavyPlaces: openHeavyPlaces(redis),
    slowMs: settings.SLOW_STATEMENT_MS === 0 ? undefined : settings.SLOW_STATEMENT_MS,
    onOldServer: (version) =>
      giveUp(
        `Neo4j ${version} is too old: 5.26 or newer is needed`,
        "Neo4j is too old: 5.26 or newer is needed",
        { version },
      ),
    onCredentialWrong: () =>
      giveUp(
        "neo4j refuses the user name or the password; are NEO4J_USERNAME and NEO4J_PASSWORD set right?",
        "neo4j refuses the user name or the password",
      ),
    onSlow: ({ requestId, ms, ...slow }) =>
      log.warn("slow statement", {
        ...slow,
        ms: Math.round(ms),
        ...(requestId === undefined ? {} : { request_id: loggedRequestId(requestId) }),
      }),
    contextOf: tracing.on ? () => AsyncLocalStorage.snapshot() : undefined,
    ...numbers,
    onRefused: (refused) => {
      numbers.onRefused(refused);
      noteRefused(refused.projectId);
    },
    onStatement: (statement) => {
      numbers.onStatement(statement);
      tracing.past("statement", statement.ms, { "db.system.name": "neo4j", "ikg.failed": statement.failed });
    },
    listen: async () => {
      running.add(service);
      closeApp(app, parts);
      const port = await server.listen(settings.PORT, settings.HOST);
      if (settings.METRICS_PORT !== undefined && settings.METRICS_PORT !== 0) {
        const inner = await serveAdmin(metrics, log, settings.METRICS_PORT, settings.HOST);
        service.onClose("metrics", () => new Promise((resolve) => inner.close(() => resolve())));
      }
      await awaitStores();
      log.info("listening", { host: settings.HOST, port });
      return { port };
    },
    close: () =>
      (closing ??= (async () => {
        health.stopping();
        server.retire();
        log.info("stopping");
        await wait(settings.DRAIN_DELAY_MS);
        for (const end of enders) end();
        await server.drain(settings.DRAIN_SECONDS * 1000, () => deadline.abort());
        await closeParts();
        running.delete(service);
        log.info("stopped");
      })()),
  };
  service.onClose("traces", () => tracing.close());
  service.onReadyCheck("redis", async () => (await redis.ping()) === "PONG");
  service.onClose("redis", async () => redis.disconnect());
  return service;
};

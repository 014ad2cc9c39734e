import type { HeavySlots, SharedRate } from "@ikg/concurrency";
import type { Redis } from "ioredis";
import { AsyncLocalStorage } from "node:async_hooks";
import { type DatabaseHooks, databaseMetrics } from "./database-metrics.ts";
import { openRedisHeavySlots } from "../limits/redis-heavy-slots.ts";
import { openDatabaseTime } from "../limits/redis-rates.ts";
import type { Logger } from "../logs/log.ts";
import { type LongStatements, openLongStatements } from "../limits/long-statements.ts";
import type { Metrics } from "./metrics.ts";
import { openRefusedProjects } from "../limits/refused-projects.ts";
import { loggedRequestId } from "../http/request-id.ts";
import { giveUpStore } from "../settings/store-tls.ts";
import type { Tracing } from "../tracing/tracing.ts";

/** A statement that took longer than `slowMs`. */
interface SlowStatement {
  readonly statement: string;
  readonly plan: string | undefined;
  readonly ms: number;
  readonly rows: number;
  readonly failed: boolean;
  readonly requestId?: string | undefined;
}

/** Data of a project's own database: not understood by this build, or, without a reason, understood again. */
interface OwnSchema {
  readonly projectId: string;
  readonly constituent: string | undefined;
  readonly reason: string | undefined;
}

/** Hooks of `connectGraph`: logs, metrics and traces of what a process does with its databases. */
export interface GraphHooks extends DatabaseHooks {
  /** Milliseconds from which a statement counts as slow; undefined disables the log of slow statements. */
  readonly slowMs: number | undefined;
  /** Keeps the asynchronous context of a caller; undefined without traces, which alone read it. */
  readonly contextOf: (() => <T>(work: () => T) => T) | undefined;
  /** Counts heavy statements over all processes. */
  readonly heavySlots: HeavySlots;
  /** Adds the time of long statements up over all processes. */
  readonly longStatements: LongStatements;
  /** Counts the database time of projects over all processes. */
  readonly databaseTime: SharedRate;
  /** Logs one line for each. */
  onSlow(slow: SlowStatement): void;
  /** Ends the start: waiting does not make a server newer. */
  onOldServer(version: string): void;
  /** Ends the start; a process that runs is not ready from then on. */
  onUnreadable(reason: string): void;
  /** Logs a line: statements on that database are refused, or no longer. */
  onOwnSchema(schema: OwnSchema): void;
  /** Ends the start: repeated attempts would lock the user out. */
  onCredentialWrong(): void;
  /** Ends the start: waiting does not change a certificate. */
  onTlsFault(fault: string): void;
}

export interface GraphHooksParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly redis: Redis;
  /** 0 for none. */
  readonly slowMs: number;
  /** Called with the reason of a start that cannot succeed, a line for the log and its fields. */
  readonly onFatal: (reason: string, line: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Logs one line; its `reason` names the versions and what to do. */
const logOwnSchema = (log: Logger, { projectId: project, constituent, reason }: OwnSchema): void => {
  const fields = { project, ...(constituent === undefined ? {} : { constituent }) };
  if (reason === undefined)
    log.info("the schema version of a project's own database is understood again", fields);
  else log.warn("the schema version of a project's own database is not understood", { ...fields, reason });
};

export const graphHooks = (parts: GraphHooksParts): GraphHooks => {
  const { log, metrics, tracing, redis, slowMs, onFatal } = parts;
  const numbers = databaseMetrics(metrics);
  const noteRefused = openRefusedProjects(log);
  return {
    ...numbers,
    heavySlots: openRedisHeavySlots(redis),
    longStatements: openLongStatements(redis),
    databaseTime: openDatabaseTime(redis, log),
    slowMs: slowMs === 0 ? undefined : slowMs,
    contextOf: tracing.isEnabled ? () => AsyncLocalStorage.snapshot() : undefined,
    onOldServer: (version) =>
      onFatal(
        `Neo4j ${version} is too old: 5.26 or newer is needed`,
        "Neo4j is too old: 5.26 or newer is needed",
        { version },
      ),
    onUnreadable: (reason) => onFatal(reason, reason),
    onOwnSchema: (schema) => logOwnSchema(log, schema),
    onCredentialWrong: () =>
      onFatal(
        "neo4j refuses the user name or the password; check NEO4J_USERNAME and NEO4J_PASSWORD",
        "neo4j refuses the user name or the password",
      ),
    onTlsFault: (fault) => giveUpStore("neo4j", "NEO4J_URI", fault, onFatal),
    onSlow: ({ requestId, ms, ...slow }) =>
      log.warn("slow statement", {
        ...slow,
        ms: Math.round(ms),
        ...(requestId === undefined ? {} : { request_id: loggedRequestId(requestId) }),
      }),
    onRefused: (refused) => {
      numbers.onRefused(refused);
      noteRefused(refused.projectId);
    },
    onStatement: (statement) => {
      numbers.onStatement(statement);
      tracing.recordFinished("statement", statement.ms, {
        "db.system.name": "neo4j",
        "ikg.failed": statement.failed,
      });
    },
  };
};

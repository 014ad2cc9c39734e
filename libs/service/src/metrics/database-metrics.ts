import type { Gauge } from "prom-client";
import { type Metrics, countBuckets } from "./metrics.ts";

/** Connections of drivers at one moment. */
export interface Connections {
  readonly inUse: number;
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
}

/** Counts the connections to the shared database and to those that projects bring. */
type PoolsOf = () => Readonly<Record<"shared" | "own", Connections>>;

/** A statement that was refused before it was sent: by which bound of the queue, and for whose load. */
export interface RefusedStatement {
  readonly statementClass: string;
  readonly limit: string;
  readonly projectId: string;
  readonly isOwnLoad: boolean;
}

/** Hooks of `connectGraph` that count its work. */
export interface DatabaseHooks {
  onStatement(statement: { readonly text: string; readonly ms: number; readonly failed: boolean }): void;
  /** Called with the rows of each batch, and how long the first of them had waited. */
  onJoined(joined: { readonly rows: number; readonly waitedMs: number }): void;
  /** @param pools counts the connections to the shared database and to those that projects bring. */
  onOpened(pools: PoolsOf): void;
  /** Called for every statement that waited for its turn and was then sent. */
  onWaited(statementClass: string, waitedMs: number): void;
  /** Called for every statement that was refused before it was sent. */
  onRefused(refused: RefusedStatement): void;
  /** Called with the version of the data of the shared database. */
  onSchema(version: number): void;
  onScheduling(waiting: WaitingCounts): void;
  /** Called for every statement of a project that ended. */
  onEnded(projectId: string, ms: number): void;
}

/** Counts the statements that wait for their turn now. */
export interface WaitingCounts {
  byClass(): Readonly<Record<string, number>>;
  byProject(): ReadonlyMap<string, number>;
}

const poolGauges = (metrics: Metrics, pools: PoolsOf): void => {
  const each = (value: (connections: Connections) => Readonly<Record<string, number>>) => (gauge: Gauge) => {
    for (const [target, connections] of Object.entries(pools()))
      for (const [state, count] of Object.entries(value(connections)))
        gauge.set(state === "" ? { target } : { target, state }, count);
  };
  metrics.gauge(
    "ikg_pool_connections",
    "Connections to the shared database and to those that projects bring, by state.",
    ["target", "state"],
    each(({ inUse, idle }) => ({ in_use: inUse, idle })),
  );
  metrics.gauge(
    "ikg_pool_waiting",
    "Calls that wait for a connection to the database.",
    ["target"],
    each(({ waiting }) => ({ "": waiting })),
  );
};

const waitingGauges = (metrics: Metrics, waiting: WaitingCounts): void => {
  metrics.gauge(
    "ikg_statements_waiting",
    "Statements of projects that wait for their turn, by class.",
    ["class"],
    (gauge) => {
      for (const [statementClass, count] of Object.entries(waiting.byClass()))
        gauge.set({ class: statementClass }, count);
    },
  );
  metrics.gauge(
    "ikg_project_statements_waiting",
    "Statements of a project that wait for their turn.",
    ["project"],
    (gauge) => metrics.projects.show(gauge, waiting.byProject()),
  );
};

const joinedRowMetrics = (metrics: Metrics): DatabaseHooks["onJoined"] => {
  const rows = metrics.histogram(
    "ikg_joined_rows",
    "Rows of one statement that answers several questions of the same text at once.",
    [],
    countBuckets,
  );
  const waits = metrics.histogram(
    "ikg_joined_wait_seconds",
    "How long the first row of such a statement waited for it to be sent.",
  );
  return (batch) => {
    rows.observe(batch.rows);
    waits.observe(batch.waitedMs / 1000);
  };
};

/** Counts what a process does with its databases. */
export const databaseMetrics = (metrics: Metrics): DatabaseHooks => {
  const statements = metrics.histogram(
    "ikg_statement_duration_seconds",
    "Duration of database statements as the process sees them.",
    ["failed"],
  );
  const onJoined = joinedRowMetrics(metrics);
  const queued = metrics.histogram(
    "ikg_statement_queue_seconds",
    "How long statements of projects waited for their turn, by class; those that were sent at once are not counted.",
    ["class"],
  );
  const refused = metrics.counter(
    "ikg_statements_refused_total",
    "Statements of projects that were refused before they were sent: by class, by the bound of the queue (length, time, organization, total) or the database time of the project (share), and by status: 429 for the load of the project or its organization, 503 for that of all.",
    ["class", "limit", "status"],
  );
  const databaseTime = metrics.counter(
    "ikg_project_database_seconds_total",
    "Time that statements of a project took in the database, where concurrent statements each count in full; requests about records and reads of audit records count as those of their organization.",
    ["project"],
  );
  const used = metrics.projects.counts(databaseTime);
  let schema: Gauge | undefined;
  return {
    onSchema: (version) => {
      schema ??= metrics.gauge(
        "ikg_schema_version",
        "Schema version of the data in the shared database; docs/upgrading.md.",
      );
      schema.set(version);
    },
    onEnded: (projectId, ms) => used(projectId, ms / 1000),
    onWaited: (statementClass, waitedMs) => queued.observe({ class: statementClass }, waitedMs / 1000),
    onRefused: ({ statementClass, limit, isOwnLoad }) =>
      refused.inc({ class: statementClass, limit, status: isOwnLoad ? "429" : "503" }),
    onScheduling: (waiting) => waitingGauges(metrics, waiting),
    onStatement: ({ ms, failed }) => statements.observe({ failed: String(failed) }, ms / 1000),
    onJoined,
    onOpened: (pools) => poolGauges(metrics, pools),
  };
};

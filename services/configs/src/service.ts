import { openOutbox } from "@ikg/announcements";
import { guardedAddress } from "@ikg/egress";
import { connectGraph, type Graph, graphReadyCheck } from "@ikg/graph";
import { keyRing } from "@ikg/secrets";
import {
  databaseHosts,
  expressionBudget,
  graphSettings,
  limitBounds,
  readSuiteStatus,
  type Service,
  startService,
} from "@ikg/service";
import { describeCollections } from "./collections/collections.ts";
import { openProjectGraphs } from "./graphs/project-graphs.ts";
import { openRetention } from "./history/retention.ts";
import { openMigrationMetrics } from "./migrations/migration-metrics.ts";
import { type Migrator, openMigrator } from "./migrations/migrator.ts";
import { openFormerEntries } from "./outbox/former-entries.ts";
import { openListMemory } from "./records/list-memory.ts";
import type { Store } from "./records/store.ts";
import { openPlanning } from "./records/planning-limits.ts";
import { configRoutes } from "./routes/routes.ts";
import type { ConfigsSettings } from "./settings.ts";
import { cachedStatus } from "./status/cached-status.ts";

/** Processes unfinished work, from `start` on. */
interface Reconciler {
  start(): Promise<void> | void;
}

/** True once the constraints stand and unfinished graphs are taken up; tried again after a failure. */
const preparation = (
  graph: Graph,
  reconcilers: readonly Reconciler[],
  { log }: Service,
): (() => Promise<boolean>) => {
  const prepare = async (): Promise<void> => {
    await graph.prepare();
    for (const each of reconcilers) await each.start();
  };
  return graphReadyCheck({ prepare, ready: () => graph.ready() }, log);
};

const openServiceMigrator = (
  { log, metrics }: Service,
  settings: ConfigsSettings,
  graph: Graph,
  { keys, now }: Pick<Store, "keys" | "now">,
): Migrator =>
  openMigrator({
    graph,
    keys,
    log,
    metrics: openMigrationMetrics(metrics),
    now,
    settings: {
      delayMs: settings.MIGRATION_DELAY_SECONDS * 1_000,
      takeoverMs: settings.MIGRATION_TAKEOVER_SECONDS * 1_000,
      batch: settings.MIGRATION_BATCH_SIZE,
      pacePercent: settings.MIGRATION_PACE_PERCENT,
    },
  });

/** The shared database for requests of administrators, which take turns by organization; the platform's own work is not scheduled. */
const databaseOf =
  (graph: Graph): Store["databaseOf"] =>
  ({ organizationId }) =>
    graph.of({ id: organizationId, organizationId, pk: organizationId }, undefined, "administration");

/** What the records are kept in and by: the database, the collections, keys and limits. */
const openStore = (graph: Graph, { redis }: Service, settings: ConfigsSettings): Store => {
  const limits = limitBounds(settings);
  return {
    databaseOf: databaseOf(graph),
    graph,
    collections: describeCollections({
      baseUrl: settings.PUBLIC_URL,
      pepper: settings.CREDENTIAL_PEPPER,
      redis,
      defaultRegion: settings.DEFAULT_REGION,
      limits,
      budget: expressionBudget(settings),
      allowHttp: settings.EGRESS_ALLOW_HTTP,
      absentTagsClear: settings.COMPAT_ALIASES.has("absent-tags"),
    }),
    keys: keyRing(settings.CONFIG_ENCRYPTION_KEY, settings.CONFIG_ENCRYPTION_FORMER_KEYS),
    requireIfMatch: settings.CONFIG_REQUIRE_IF_MATCH,
    recordReads: settings.AUDIT_CONFIG_READS,
    planning: openPlanning({
      perOrganization: settings.PLANNING_PER_ORGANIZATION,
      total: settings.PLANNING_TOTAL,
      statementMs: settings.PLANNING_MS,
    }),
    usage: {
      projects: limits,
      organization: {
        projects: settings.PROJECTS_PER_ORGANIZATION,
        serviceAccounts: settings.SERVICE_ACCOUNTS_PER_ORGANIZATION,
      },
    },
    lists: openListMemory(settings.LIST_BYTES, settings.LIST_MEMORY_BYTES),
    listBytes: settings.LIST_BYTES,
    keptVersions: settings.RECORD_VERSIONS,
    now: () => new Date(),
  };
};

/** Puts the service together; it listens when `listen` is called. */
export const openConfigs = async (settings: ConfigsSettings): Promise<Service> => {
  const service = await startService("configs", settings);
  const graph = connectGraph(graphSettings(settings), service, guardedAddress(databaseHosts(settings)));
  const { redis, log } = service;
  const store = openStore(graph, service, settings);
  const previews = {
    budget: expressionBudget(settings),
    decisions: { requireIdentity: settings.KBAC2_REQUIRE_IDENTITY },
  };
  const outbox = openOutbox({ database: graph.shared, redis, log });
  const formerEntries = openFormerEntries({ database: graph.shared, log });
  const retention = openRetention({
    database: graph.shared,
    log,
    now: store.now,
    days: settings.CHANGE_RETENTION_DAYS,
  });
  const migrator = openServiceMigrator(service, settings, graph, store);
  const graphs = openProjectGraphs({ graph, store, outbox, log });
  service.onReadyCheck(
    "neo4j",
    preparation(graph, [graphs, outbox, formerEntries, retention, migrator], service),
  );
  service.onClose("neo4j", () => graph.close());
  service.onClose("graphs of projects", () => graphs.close());
  service.onClose("old change records", () => retention.close());
  service.onClose("migrations", () => migrator.close());
  service.onClose("unpublished changes", () => outbox.close());
  service.onClose("changes of a former release", () => formerEntries.close());
  const suiteStatus = cachedStatus(() => readSuiteStatus(redis));
  service.mount(...configRoutes({ store, outbox, graphs, graph, previews, suiteStatus }));
  return service;
};

import { openIntrospection } from "@ikg/auth";
import { keyRing, openCatalog } from "@ikg/catalog";
import { guardedAddress, openEgress } from "@ikg/egress";
import { connectGraph, prepared } from "@ikg/graph";
import { openNames } from "@ikg/names";
import {
  consistencyTokens,
  databaseHosts,
  graphSettings,
  expressionBudget,
  limitBounds,
  openSharedBudget,
  readSettings,
  runService,
  startService,
} from "@ikg/service";
import { openExecute } from "./execution/execute.ts";
import { rowSizes } from "./execution/row-sizes.ts";
import { openWhoami } from "./identity/whoami.ts";
import { openResolvers } from "./resolvers/resolve.ts";
import { elementIdsOf } from "./results/element-ids.ts";
import { execute } from "./routes/execute.ts";
import { whoami } from "./routes/whoami.ts";
import { CiqSettings } from "./settings.ts";

await runService(async () => {
  const settings = readSettings(CiqSettings);
  const service = await startService("ciq", settings);
  const graph = connectGraph(
    graphSettings(settings, "query"),
    service,
    guardedAddress(databaseHosts(settings)),
  );
  // Queries write, too.
  service.onReadyCheck("neo4j", prepared(graph, service.log));
  service.onClose("neo4j", () => graph.close());
  const { redis, log, metrics, tracing } = service;
  const keys = keyRing(settings.CONFIG_ENCRYPTION_KEY, settings.CONFIG_ENCRYPTION_FORMER_KEYS);
  const catalog = openCatalog({
    graph,
    redis,
    log,
    keys,
    limits: limitBounds(settings),
    memoryBytes: settings.CATALOG_BYTES,
    budget: expressionBudget(settings),
    onLookup: metrics.lookups("projects"),
  });
  service.onClose("catalog", () => catalog.close());
  const { EGRESS_ALLOW_HTTP: allowHttp } = settings;
  // Tokens are not sent to issuers over http unless somebody says so; resolvers are called as they are written.
  const issuers = { ...settings, EGRESS_ALLOW_HTTP: allowHttp ?? false };
  const introspection = openIntrospection({
    settings: issuers,
    graph,
    redis,
    log,
    metrics,
    onLookup: metrics.lookups("bearers"),
  });
  service.onClose("introspection", () => introspection.close());

  const egress = openEgress({
    allowHttp: allowHttp ?? true,
    allowHosts: settings.EGRESS_ALLOW_HOSTS,
    allowCidrs: settings.EGRESS_ALLOW_CIDRS,
  });
  const resolvers = openResolvers({ egress, metrics, log, timeoutMs: settings.EDR_TIMEOUT_MS });
  service.onClose("resolvers", () => resolvers.close());

  const answers = {
    memory: openSharedBudget(
      { capacity: settings.ANSWER_MEMORY_BYTES, waitMs: 2_000, waitingPerProject: 16 },
      `page_bytes: too many large answers at one time (setting ANSWER_MEMORY_BYTES, ${settings.ANSWER_MEMORY_BYTES})`,
    ),
    idsOf: elementIdsOf(settings.INTERNAL_CONTEXT_KEY),
    sizes: rowSizes(),
  };
  const limits = { queryMs: settings.QUERY_TIMEOUT_MS, batchReadMs: settings.BATCH_READ_TIMEOUT_MS };
  service.mount(
    execute(
      openExecute(graph, catalog, introspection, limits, answers, resolvers, openNames(graph, log), tracing),
      consistencyTokens(settings.INTERNAL_CONTEXT_KEY, settings.INTERNAL_CONTEXT_FORMER_KEYS),
    ),
    whoami(openWhoami(catalog, introspection)),
  );
  await service.listen();
});

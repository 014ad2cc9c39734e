import { openIntrospection } from "@ikg/auth";
import { keyRing, openCatalog } from "@ikg/catalog";
import { guardedAddress } from "@ikg/egress";
import { connectGraph } from "@ikg/graph";
import {
  consistencyTokens,
  databaseHosts,
  graphSettings,
  expressionBudget,
  limitBounds,
  readSettings,
  runService,
  startService,
} from "@ikg/service";
import { withMetrics } from "./decisions/with-metrics.ts";
import { openDecide } from "./decisions/decide.ts";
import { withExplanation } from "./decisions/with-explanation.ts";
import { openExplain } from "./decisions/explain.ts";
import { openEvaluateBatch } from "./decisions/evaluate-batch.ts";
import { pageTokens } from "./decisions/page-token.ts";
import { openSearch } from "./decisions/search.ts";
import { openSearchAction } from "./decisions/search-action.ts";
import { openArrivals } from "./routes/request-context.ts";
import { evaluation } from "./routes/evaluation.ts";
import { evaluations } from "./routes/evaluations.ts";
import { policies } from "./routes/policies.ts";
import { searchAction } from "./routes/search-action.ts";
import { searchResource } from "./routes/search-resource.ts";
import { searchSubject } from "./routes/search-subject.ts";
import { withTracing } from "./decisions/with-tracing.ts";
import { AccessSettings } from "./settings.ts";

await runService(async () => {
  const settings = readSettings(AccessSettings);
  const service = await startService("access", settings);
  const graph = connectGraph(
    graphSettings(settings, "decision"),
    service,
    guardedAddress(databaseHosts(settings)),
  );
  service.onReadyCheck("neo4j", () => graph.ready());
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
  const introspection = openIntrospection({
    settings,
    graph,
    redis,
    log,
    metrics,
    onLookup: metrics.lookups("bearers"),
  });
  service.onClose("introspection", () => introspection.close());

  const arrive = openArrivals(
    catalog,
    introspection,
    consistencyTokens(settings.INTERNAL_CONTEXT_KEY, settings.INTERNAL_CONTEXT_FORMER_KEYS),
    settings.DECISION_TIMEOUT_MS,
  );
  const switches = { requireIdentity: settings.KBAC2_REQUIRE_IDENTITY };
  const tokens = pageTokens(settings.INTERNAL_CONTEXT_KEY, settings.INTERNAL_CONTEXT_FORMER_KEYS);
  const decide = openDecide(graph, switches);
  const explain = openExplain(graph, switches);
  const instrumented = withMetrics(withTracing(decide, tracing), metrics);
  const explainedDecide = withExplanation(instrumented, explain);
  const search = { graph, tokens, decide, switches };
  service.mount(
    evaluation(instrumented, explainedDecide, arrive),
    evaluations(openEvaluateBatch(instrumented), openEvaluateBatch(explainedDecide), arrive),
    searchResource(openSearch(search, "resource"), arrive),
    searchSubject(openSearch(search, "subject"), arrive),
    searchAction(openSearchAction(decide, explain, tokens), arrive),
    policies(arrive),
  );
  await service.listen();
});

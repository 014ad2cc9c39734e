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
import { openDecisions } from "./decisions/decisions.ts";
import { pageTokens } from "./decisions/page-token.ts";
import { openRequestResolver } from "./routes/request-context.ts";
import { evaluation } from "./routes/evaluation.ts";
import { evaluations } from "./routes/evaluations.ts";
import { policies } from "./routes/policies.ts";
import { searchAction } from "./routes/search-action.ts";
import { searchResource } from "./routes/search-resource.ts";
import { searchSubject } from "./routes/search-subject.ts";
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
  const { redis, log, metrics } = service;
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

  const resolveRequest = openRequestResolver(
    catalog,
    introspection,
    consistencyTokens(settings.INTERNAL_CONTEXT_KEY, settings.INTERNAL_CONTEXT_FORMER_KEYS),
    settings.DECISION_TIMEOUT_MS,
  );
  const decisions = openDecisions({
    graph,
    tokens: pageTokens(settings.INTERNAL_CONTEXT_KEY, settings.INTERNAL_CONTEXT_FORMER_KEYS),
    switches: { requireIdentity: settings.KBAC2_REQUIRE_IDENTITY },
    instruments: service,
  });
  service.mount(
    evaluation(decisions.evaluate, resolveRequest),
    evaluations(decisions.evaluateBatch, resolveRequest),
    searchResource(decisions.searchResource, resolveRequest),
    searchSubject(decisions.searchSubject, resolveRequest),
    searchAction(decisions.searchAction, resolveRequest),
    policies(resolveRequest),
  );
  await service.listen();
});

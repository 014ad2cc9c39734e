import { elementIdsOf } from "@ikg/query-rows";
import { consistencyTokens, expressionBudget, readSettings, runService, startService } from "@ikg/service";
import { openServiceCatalog, openServiceGraph, openServiceIntrospection } from "@ikg/stores";
import { openDecisions } from "./decisions/decisions.ts";
import { pageTokens } from "./decisions/page-token.ts";
import { openRequestResolver } from "./routes/question-context.ts";
import { evaluation } from "./routes/evaluation.ts";
import { evaluations } from "./routes/evaluations.ts";
import { openReplay } from "./replays/replay.ts";
import { policies } from "./routes/policies.ts";
import { replays } from "./routes/replays.ts";
import { searchAction } from "./routes/search-action.ts";
import { searchResource, searchSubject } from "./routes/search-nodes.ts";
import { simulations } from "./routes/simulations.ts";
import { AccessSettings } from "./settings.ts";
import { openSimulationMetrics } from "./simulations/metrics.ts";
import { progressTokens } from "./simulations/progress-tokens.ts";
import { openSimulate } from "./simulations/simulate.ts";
import { openSimulationSlots } from "./simulations/slots.ts";

await runService(async () => {
  const settings = readSettings(AccessSettings);
  const service = await startService("access", settings);
  const graph = openServiceGraph(service, settings, { statementClass: "decision" });
  const catalog = openServiceCatalog(service, settings, graph, { budget: expressionBudget(settings) });
  const introspection = openServiceIntrospection(service, settings, graph);
  const resolveRequest = openRequestResolver(
    catalog,
    introspection,
    consistencyTokens(settings.TOKEN_SEALING_KEY, settings.TOKEN_SEALING_FORMER_KEYS),
    settings.DECISION_TIMEOUT_MS,
  );
  const switches = { requireIdentity: settings.KBAC2_REQUIRE_IDENTITY };
  const decisions = openDecisions({
    graph,
    tokens: pageTokens(settings.TOKEN_SEALING_KEY, settings.TOKEN_SEALING_FORMER_KEYS),
    switches,
    instruments: service,
  });
  const simulate = openSimulate({
    graph,
    idsOf: elementIdsOf(settings.TOKEN_SEALING_KEY),
    decide: decisions.decide,
    switches,
    budget: expressionBudget(settings),
    tokens: progressTokens(settings.TOKEN_SEALING_KEY, settings.TOKEN_SEALING_FORMER_KEYS),
  });
  const prepareReplay = openReplay({ graph, decide: decisions.decide, budget: expressionBudget(settings) });
  const slots = openSimulationSlots();
  service.mount(
    evaluation(decisions.evaluate, resolveRequest),
    evaluations(decisions.evaluateBatch, resolveRequest),
    searchResource(decisions.searchResource, resolveRequest),
    searchSubject(decisions.searchSubject, resolveRequest),
    searchAction(decisions.searchAction, resolveRequest),
    policies(resolveRequest),
    simulations({
      catalog,
      simulate,
      slots,
      metrics: openSimulationMetrics(service.metrics),
    }),
    replays(catalog, prepareReplay, slots),
  );
  await service.listen();
});

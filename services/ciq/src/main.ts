import { openEgress } from "@ikg/egress";
import { openNames } from "@ikg/graph-names";
import { elementIdsOf } from "@ikg/query-rows";
import {
  consistencyTokens,
  expressionBudget,
  openProjectSlots,
  openSharedBudget,
  readSettings,
  runService,
  type Service,
  startService,
} from "@ikg/service";
import { openServiceCatalog, openServiceGraph, openServiceIntrospection } from "@ikg/stores";
import { openExecute } from "./execution/execute.ts";
import type { AnswerParts } from "./execution/execution.ts";
import { rowSizes } from "./execution/row-sizes.ts";
import { openWhoami } from "./identity/whoami.ts";
import { openResolvers, type Resolvers } from "./resolvers/resolve.ts";
import { execute } from "./routes/execute.ts";
import { graphRoutes } from "./routes/graph.ts";
import { whoami } from "./routes/whoami.ts";
import { CiqSettings } from "./settings.ts";

const openServiceResolvers = (service: Service, settings: CiqSettings): Resolvers => {
  const { log, metrics } = service;
  const egress = openEgress({
    // A resolver is called at its address as it stands, unless the setting says otherwise.
    allowHttp: settings.EGRESS_ALLOW_HTTP ?? true,
    allowHosts: settings.EGRESS_ALLOW_HOSTS,
    allowCidrs: settings.EGRESS_ALLOW_CIDRS,
  });
  const resolvers = openResolvers({ egress, metrics, log, timeoutMs: settings.EDR_TIMEOUT_MS });
  service.onClose("resolvers", () => resolvers.close());
  return resolvers;
};

const answerParts = (settings: CiqSettings): AnswerParts => ({
  memory: openSharedBudget(
    { total: settings.ANSWER_MEMORY_BYTES, waitMs: 2_000, waitingPerProject: 16 },
    `page_bytes: too many large answers at one time (setting ANSWER_MEMORY_BYTES, ${settings.ANSWER_MEMORY_BYTES})`,
  ),
  idsOf: elementIdsOf(settings.TOKEN_SEALING_KEY),
  sizes: rowSizes(),
});

/** Concurrent graph reads by administrators. */
const graphReadSlots = () =>
  openProjectSlots({
    total: 64,
    perProject: 16,
    errors: {
      ofOwner: (taken, owner) =>
        `project_id: the ${owner} already has ${taken} graph reads in progress, its maximum; retry later`,
      ofAll: (taken) => `graph reads: ${taken} are in progress, the maximum of this process; retry later`,
    },
  });

await runService(async () => {
  const settings = readSettings(CiqSettings);
  const service = await startService("ciq", settings);
  const graph = openServiceGraph(service, settings, { statementClass: "query", writes: true });
  const catalog = openServiceCatalog(service, settings, graph, { budget: expressionBudget(settings) });
  // Issuers are called over https only, unless the setting says otherwise.
  const issuers = { ...settings, EGRESS_ALLOW_HTTP: settings.EGRESS_ALLOW_HTTP ?? false };
  const introspection = openServiceIntrospection(service, issuers, graph);
  const answers = answerParts(settings);
  const run = openExecute({
    graph,
    catalog,
    introspection,
    limits: { queryMs: settings.QUERY_TIMEOUT_MS, batchReadMs: settings.BATCH_READ_TIMEOUT_MS },
    answers,
    resolvers: openServiceResolvers(service, settings),
    names: openNames(graph, service.log),
    tracing: service.tracing,
  });
  const tokens = consistencyTokens(settings.TOKEN_SEALING_KEY, settings.TOKEN_SEALING_FORMER_KEYS);
  service.mount(
    execute(run, tokens),
    whoami(openWhoami(catalog, introspection)),
    ...graphRoutes({
      graph,
      catalog,
      memory: answers.memory,
      idsOf: answers.idsOf,
      slots: graphReadSlots(),
      sealing: { key: settings.TOKEN_SEALING_KEY, former: settings.TOKEN_SEALING_FORMER_KEYS },
      timeoutMs: settings.QUERY_TIMEOUT_MS,
    }),
  );
  await service.listen();
});

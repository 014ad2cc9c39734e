import { openIntrospection } from "@ikg/auth";
import { keyRing, openCatalog } from "@ikg/catalog";
import { guardedAddress } from "@ikg/egress";
import { connectGraph } from "@ikg/graph";
import { databaseHosts, graphSettings, readSettings, runService, startService } from "@ikg/service";
import { openExecute } from "./execution/execute.ts";
import { execute } from "./routes/execute.ts";
import { CiqSettings } from "./settings.ts";

await runService(async () => {
  const settings = readSettings(CiqSettings);
  const service = await startService("ciq", settings);
  const graph = connectGraph(graphSettings(settings), service, guardedAddress(databaseHosts(settings)));
  service.onReadyCheck("neo4j", () => graph.ready());
  service.onClose("neo4j", () => graph.close());
  const { redis, log, metrics } = service;
  const keys = keyRing(settings.CONFIG_ENCRYPTION_KEY, settings.CONFIG_ENCRYPTION_FORMER_KEYS);
  const catalog = openCatalog({ graph, redis, log, keys });
  service.onClose("catalog", () => catalog.close());
  const introspection = openIntrospection({ settings, graph, redis, log, metrics });
  service.onClose("introspection", () => introspection.close());

  const limits = { queryMs: settings.QUERY_TIMEOUT_MS, batchReadMs: settings.BATCH_READ_TIMEOUT_MS };
  service.mount(execute(openExecute(graph, catalog, introspection, limits)));
  await service.listen();
});

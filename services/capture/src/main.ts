import { keyRing, openCatalog } from "@ikg/catalog";
import { guardedAddress } from "@ikg/egress";
import { connectGraph } from "@ikg/graph";
import { databaseHosts, graphSettings, readSettings, runService, startService } from "@ikg/service";
import { prepared } from "./prepared.ts";
import { nodeRoutes } from "./routes/nodes.ts";
import { relationshipRoutes } from "./routes/relationships.ts";
import { CaptureSettings } from "./settings.ts";

await runService(async () => {
  const settings = readSettings(CaptureSettings);
  const service = await startService("capture", settings);
  const graph = connectGraph(graphSettings(settings), service, guardedAddress(databaseHosts(settings)));
  service.onReadyCheck("neo4j", prepared(graph, service.log));
  service.onClose("neo4j", () => graph.close());
  const { redis, log } = service;
  const keys = keyRing(settings.CONFIG_ENCRYPTION_KEY, settings.CONFIG_ENCRYPTION_FORMER_KEYS);
  const catalog = openCatalog({ graph, redis, log, keys });
  service.onClose("catalog", () => catalog.close());
  const parts = { graph, projects: catalog, now: () => new Date() };
  service.mount(...nodeRoutes(parts), ...relationshipRoutes(parts));
  await service.listen();
});

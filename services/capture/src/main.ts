import { openCatalog } from "@ikg/catalog";
import { connectGraph } from "@ikg/graph";
import { graphSettings, readSettings, runService, startService } from "@ikg/service";
import { nodeWriter } from "./nodes/upsert-nodes.ts";
import { relationshipWriter } from "./relationships/upsert-relationships.ts";
import { prepared } from "./prepared.ts";
import { upsertNodes } from "./routes/nodes.ts";
import { upsertRelationships } from "./routes/relationships.ts";
import { CaptureSettings } from "./settings.ts";

await runService(async () => {
  const settings = readSettings(CaptureSettings);
  const service = await startService("capture", settings);
  const graph = connectGraph(graphSettings(settings), service);
  service.onReadyCheck("neo4j", prepared(graph, service.log));
  service.onClose("neo4j", () => graph.close());
  const catalog = openCatalog({ graph, redis: service.redis, log: service.log });
  service.onClose("catalog", () => catalog.close());
  service.mount(
    ...upsertNodes(nodeWriter(graph, catalog)),
    upsertRelationships(relationshipWriter(graph, catalog)),
  );
  await service.listen();
});

import { openNames } from "@ikg/graph-names";
import { consistencyTokens, keepHeapSmall, readSettings, runService, startService } from "@ikg/service";
import { openServiceCatalog, openServiceGraph } from "@ikg/stores";
import { countGraph } from "./data-schema/count-graph.ts";
import { openDataSchemaCache } from "./data-schema/data-schema-cache.ts";
import { openExportMetrics } from "./export/metrics.ts";
import { recordImportEnd } from "./imports/record-import-end.ts";
import { importParts } from "./imports/imports.ts";
import { startImportWorkers } from "./imports/worker.ts";
import { dataSchema } from "./routes/data-schema.ts";
import { exportRoute } from "./routes/export.ts";
import { importRoutes } from "./routes/imports.ts";
import { nodeRoutes } from "./routes/nodes.ts";
import { relationshipRoutes } from "./routes/relationships.ts";
import { timeoutsAsUnavailable } from "./routes/timeouts-as-unavailable.ts";
import { CaptureSettings } from "./settings.ts";

await runService(async () => {
  keepHeapSmall();
  const settings = readSettings(CaptureSettings);
  const service = await startService("capture", settings);
  const graph = openServiceGraph(service, settings, { statementClass: "capture", writes: true });
  const catalog = openServiceCatalog(service, settings, graph);
  const tokens = consistencyTokens(settings.TOKEN_SEALING_KEY, settings.TOKEN_SEALING_FORMER_KEYS);
  const names = openNames(graph, service.log);
  const parts = { graph, projects: catalog, names, tokens, now: () => new Date() };
  const schemas = openDataSchemaCache((project, signal) => countGraph(graph, project, new Date(), signal));
  service.onClose("data schemas", () => schemas.close());
  const imports = importParts({ ...parts, onEnded: recordImportEnd(catalog, service.trail) });
  const workers = startImportWorkers(
    imports,
    {
      redisUrl: settings.REDIS_URL,
      concurrency: settings.IMPORT_CONCURRENCY,
      takeoverMs: settings.IMPORT_TAKEOVER_SECONDS * 1000,
    },
    service,
  );
  service.onClose("imports", () => workers.close());
  const routes = [
    ...nodeRoutes(parts),
    ...relationshipRoutes(parts),
    dataSchema(catalog, schemas),
    exportRoute({
      graph,
      projects: catalog,
      metrics: openExportMetrics(service.metrics),
      slots: settings.EXPORTS,
    }),
    ...importRoutes(
      imports,
      {
        uploads: settings.IMPORT_UPLOADS,
        longestMs: settings.IMPORT_UPLOAD_SECONDS * 1000,
        ratio: settings.IMPORT_COMPRESSION_RATIO,
      },
      ({ projectId }) => workers.enqueue(projectId),
    ),
  ];
  service.mount(...routes.map(timeoutsAsUnavailable));
  await service.listen();
});

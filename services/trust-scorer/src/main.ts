import { keyRing, openCatalog } from "@ikg/catalog";
import { guardedAddress } from "@ikg/egress";
import { connectGraph, prepared } from "@ikg/graph";
import {
  databaseHosts,
  graphSettings,
  keepHeapSmall,
  limitBounds,
  readSettings,
  runService,
  startService,
} from "@ikg/service";
import { countWork } from "./numbers.ts";
import { storedProfiles } from "./profiles/profile.ts";
import { recordRuns } from "./runs/record-run.ts";
import { runRecords } from "./runs/run-record.ts";
import type { Scorer } from "./scorer.ts";
import { scoreConstants, TrustScorerSettings } from "./settings.ts";
import { startScorer } from "./start.ts";

await runService(async () => {
  keepHeapSmall();
  const settings = readSettings(TrustScorerSettings);
  const service = await startService("trust-scorer", settings);
  const graph = connectGraph(
    graphSettings(settings, "background"),
    service,
    guardedAddress(databaseHosts(settings)),
  );
  service.onReadyCheck("neo4j", prepared(graph, service.log));
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
    onLookup: metrics.lookups("projects"),
  });
  service.onClose("catalog", () => catalog.close());
  const scorer: Scorer = {
    graph,
    projects: catalog,
    profiles: storedProfiles(graph.shared),
    records: runRecords(graph.shared),
    settings: {
      constants: scoreConstants(settings),
      batchSize: settings.TRUST_BATCH_SIZE,
      rangeSize: settings.TRUST_RANGE_SIZE,
      minShare: settings.TRUST_COMPLETENESS_MIN_SHARE,
      pacePercent: settings.TRUST_PACE_PERCENT,
    },
    log,
    told: countWork(metrics),
    recordRun: recordRuns(catalog, service.trail),
    now: () => new Date(),
  };
  // Schedules begin when the constraints stand, without which two workers could make two scores of one node.
  await service.listen();
  const started = startScorer(
    scorer,
    {
      redisUrl: settings.REDIS_URL,
      concurrency: settings.TRUST_CONCURRENCY,
      takeoverMs: settings.TRUST_TAKEOVER_SECONDS * 1000,
      scale: settings.TRUST_SCHEDULE_SCALE,
      houseMs: settings.TRUST_HOUSEKEEPING_SECONDS * 1000,
    },
    service,
  );
  service.onClose("trust scores", () => started.close());
});

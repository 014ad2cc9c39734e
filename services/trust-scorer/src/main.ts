import { keepHeapSmall, readSettings, runService, startService } from "@ikg/service";
import { openServiceCatalog, openServiceGraph } from "@ikg/stores";
import { countWork } from "./run-metrics.ts";
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
  const graph = openServiceGraph(service, settings, { statementClass: "background", writes: true });
  const catalog = openServiceCatalog(service, settings, graph);
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
    log: service.log,
    metrics: countWork(service.metrics),
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
      reconcileMs: settings.TRUST_HOUSEKEEPING_SECONDS * 1000,
    },
    service,
  );
  service.onClose("trust scores", () => started.close());
});

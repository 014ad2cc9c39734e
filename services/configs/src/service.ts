import { connectGraph, type Graph } from "@ikg/graph";
import { keyRing } from "@ikg/secrets";
import { graphSettings, type Service, startService } from "@ikg/service";
import { describeCollections } from "./collections/collections.ts";
import { announceOn } from "./records/announce.ts";
import { type GraphRemovals, openGraphRemovals } from "./records/graph-removal.ts";
import { configRoutes } from "./routes/routes.ts";
import type { ConfigsSettings } from "./settings.ts";

/** True once the constraints stand and unfinished removals are taken up; tried again after a failure. */
const preparation = (graph: Graph, removals: GraphRemovals, service: Service): (() => Promise<boolean>) => {
  let prepared: Promise<boolean> | undefined;
  const prepare = async (): Promise<boolean> => {
    try {
      await graph.prepare();
      await removals.resume();
      return true;
    } catch (error) {
      service.log.warn("the database is not prepared yet", { error });
      prepared = undefined;
      return false;
    }
  };
  return async () => (await graph.ready()) && (await (prepared ??= prepare()));
};

/** Puts the service together; it listens when `listen` is called. */
export const openConfigs = async (settings: ConfigsSettings): Promise<Service> => {
  const service = await startService("configs", settings);
  const graph = connectGraph(graphSettings(settings), service);
  const removals = openGraphRemovals(graph.shared, service.log);
  service.onReadyCheck("neo4j", preparation(graph, removals, service));
  service.onClose("neo4j", () => graph.close());
  service.onClose("graph removals", () => removals.close());
  const collections = describeCollections({
    baseUrl: settings.PUBLIC_URL,
    pepper: settings.CREDENTIAL_PEPPER,
    defaultRegion: settings.DEFAULT_REGION,
    allowHttp: settings.EGRESS_ALLOW_HTTP,
  });
  const keys = keyRing(settings.CONFIG_ENCRYPTION_KEY, settings.CONFIG_ENCRYPTION_FORMER_KEYS);
  const store = {
    database: graph.shared,
    collections,
    keys,
    requireIfMatch: settings.CONFIG_REQUIRE_IF_MATCH,
    now: () => new Date(),
  };
  service.mount(...configRoutes(store, announceOn(service.redis, service.log), removals));
  return service;
};

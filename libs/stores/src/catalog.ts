import { type Catalog, keyRing, openCatalog } from "@ikg/catalog";
import type { Graph } from "@ikg/graph";
import { limitBounds, type ProjectLimitSettings, type ProjectSettings, type Service } from "@ikg/service";
import type { z } from "zod";

type CatalogSettings = z.output<typeof ProjectSettings> & z.output<typeof ProjectLimitSettings>;

type CatalogOptions = Pick<Parameters<typeof openCatalog>[0], "budget" | "onChange">;

/** Opens the catalog of a service's configuration records; it is closed with the service. */
export const openServiceCatalog = (
  service: Service,
  settings: CatalogSettings,
  graph: Graph,
  options: CatalogOptions = {},
): Catalog => {
  const { redis, log, metrics } = service;
  const catalog = openCatalog({
    graph,
    redis,
    log,
    keys: keyRing(settings.CONFIG_ENCRYPTION_KEY, settings.CONFIG_ENCRYPTION_FORMER_KEYS),
    limits: limitBounds(settings),
    memoryBytes: settings.CATALOG_BYTES,
    onLookup: metrics.lookups("projects"),
    ...options,
  });
  service.onClose("catalog", () => catalog.close());
  return catalog;
};

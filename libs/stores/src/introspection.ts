import { type Introspection, openIntrospection } from "@ikg/auth";
import type { Graph } from "@ikg/graph";
import type { Service } from "@ikg/service";

type IntrospectionSettings = Parameters<typeof openIntrospection>[0]["settings"];

/** Opens the introspection of end users' bearer tokens; it is closed with the service. */
export const openServiceIntrospection = (
  service: Service,
  settings: IntrospectionSettings,
  graph: Graph,
): Introspection => {
  const { redis, log, metrics } = service;
  const introspection = openIntrospection({
    service: service.name,
    settings,
    graph,
    redis,
    log,
    metrics,
    onLookup: metrics.lookups("bearers"),
  });
  service.onClose("introspection", () => introspection.close());
  return introspection;
};

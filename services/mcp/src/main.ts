import { type Introspection, openIntrospection } from "@ikg/auth";
import { type Catalog, keyRing, openCatalog } from "@ikg/catalog";
import { guardedAddress } from "@ikg/egress";
import { connectGraph, type Graph } from "@ikg/graph";
import {
  databaseHosts,
  graphSettings,
  expressionBudget,
  limitBounds,
  openRepeatedRefusals,
  readSettings,
  runService,
  type Service,
  startService,
} from "@ikg/service";
import { openEndpoints } from "./endpoint/mcp-endpoint.ts";
import { openOrigins } from "./endpoint/origin.ts";
import { openScopes } from "./endpoint/scopes.ts";
import { endpoint } from "./endpoint.ts";
import { openLegacy } from "./protocol/legacy.ts";
import { type Modern, openModern } from "./protocol/modern.ts";
import { type BuildServer, openServers } from "./protocol/server.ts";
import { openCursors } from "./resources/cursor.ts";
import { openResources } from "./resources/resources.ts";
import { openSessions } from "./sessions/sessions.ts";
import { McpSettings } from "./settings.ts";
import { openDownstream } from "./tools/downstream.ts";
import { evaluateTool } from "./tools/evaluate.ts";
import { executeTool } from "./tools/execute.ts";
import { openPageTokens } from "./tools/page-tokens.ts";

const openGraph = (settings: McpSettings, service: Service): Graph => {
  const graph = connectGraph(graphSettings(settings), service, guardedAddress(databaseHosts(settings)));
  service.onReadyCheck("neo4j", () => graph.ready());
  service.onClose("neo4j", () => graph.close());
  return graph;
};

/** Tools and resources, as the protocol's library serves them. */
const buildServers = (settings: McpSettings, service: Service): BuildServer => {
  const callService = openDownstream(settings, service);
  const sealing = [settings.INTERNAL_CONTEXT_KEY, settings.INTERNAL_CONTEXT_FORMER_KEYS] as const;
  const resources = openResources(openCursors(...sealing), settings.MCP_RESULT_BYTES);
  const tools = [
    evaluateTool(callService),
    executeTool(callService, openPageTokens(...sealing), settings.MCP_RESULT_BYTES),
  ];
  return openServers(tools, resources, service.log);
};

const startModern = (build: BuildServer, settings: McpSettings, service: Service): Modern => {
  const modern = openModern(build, {
    perSubject: settings.MCP_STREAMS_PER_SUBJECT,
    perProject: settings.MCP_STREAMS_PER_PROJECT,
    inAll: settings.MCP_STREAMS,
  });
  service.onStopping(() => modern.endStreams());
  service.onClose("notifications", () => modern.close());
  return modern;
};

const startCatalog = (graph: Graph, modern: Modern, settings: McpSettings, service: Service): Catalog => {
  const { redis, log, metrics } = service;
  const catalog = openCatalog({
    graph,
    redis,
    log,
    keys: keyRing(settings.CONFIG_ENCRYPTION_KEY, settings.CONFIG_ENCRYPTION_FORMER_KEYS),
    limits: limitBounds(settings),
    memoryBytes: settings.CATALOG_BYTES,
    budget: expressionBudget(settings),
    onLookup: metrics.lookups("projects"),
    onChange: (change) => modern.changed(change),
  });
  service.onClose("catalog", () => catalog.close());
  return catalog;
};

const startIntrospection = (graph: Graph, settings: McpSettings, service: Service): Introspection => {
  const { redis, log, metrics } = service;
  const onLookup = metrics.lookups("bearers");
  const introspection = openIntrospection({ settings, graph, redis, log, metrics, onLookup });
  service.onClose("introspection", () => introspection.close());
  return introspection;
};

const sessionLimits = (settings: McpSettings) => ({
  idleMs: settings.MCP_SESSION_IDLE_SECONDS * 1_000,
  perSubject: settings.MCP_SESSIONS_PER_SUBJECT,
  perProject: settings.MCP_SESSIONS_PER_PROJECT,
});

await runService(async () => {
  const settings = readSettings(McpSettings);
  const service = await startService("mcp", settings);
  const graph = openGraph(settings, service);
  const publicUrl = settings.MCP_PUBLIC_URL ?? settings.PUBLIC_URL;
  const build = buildServers(settings, service);
  const modern = startModern(build, settings, service);
  const catalog = startCatalog(graph, modern, settings, service);
  const introspection = startIntrospection(graph, settings, service);
  const sessions = openSessions(service.redis, sessionLimits(settings));
  const refusals = openRepeatedRefusals(service.trail, settings.AUDIT_REFUSAL_SECONDS * 1_000);
  service.onClose("records of refusals", () => refusals.close());
  service.app.use(
    endpoint({
      origins: openOrigins(settings.MCP_ALLOWED_ORIGINS, settings.HOST, publicUrl),
      endpointOf: openEndpoints(catalog, publicUrl),
      introspection,
      checkScopes: openScopes(settings),
      legacy: openLegacy(sessions, build),
      modern,
      trail: service.trail,
      refusals,
      contextOf: service.internalContextOf,
      messageBytes: settings.MCP_MESSAGE_BYTES,
      readBody: service.readBody,
    }),
  );
  await service.listen();
});

import {
  expressionBudget,
  openProjectRate,
  openRepeatedRefusals,
  openRequestRate,
  readSettings,
  runService,
  type Service,
  startService,
} from "@ikg/service";
import { openServiceCatalog, openServiceGraph, openServiceIntrospection } from "@ikg/stores";
import { openEndpoints } from "./endpoint/mcp-endpoint.ts";
import { basePathOf } from "./endpoint/request-target.ts";
import { openOrigins } from "./endpoint/origin.ts";
import { openScopes } from "./endpoint/scopes.ts";
import { serveMcp } from "./serve-mcp.ts";
import { openSessionProtocol } from "./protocol/session-protocol.ts";
import { type StatelessProtocol, openStatelessProtocol } from "./protocol/stateless-protocol.ts";
import { type BuildServer, serverBuilder } from "./protocol/server.ts";
import { openCursors } from "./resources/cursor.ts";
import { openResources } from "./resources/resources.ts";
import { watchSessions } from "./sessions/session-metrics.ts";
import { openSessions } from "./sessions/sessions.ts";
import { McpSettings } from "./settings.ts";
import { openDownstream } from "./tools/downstream.ts";
import { evaluateTool } from "./tools/evaluate.ts";
import { executeTool } from "./tools/execute.ts";
import { openPageTokens } from "./tools/page-tokens.ts";

/** Tools and resources, as the protocol's library serves them. */
const buildServers = (settings: McpSettings, service: Service): BuildServer => {
  const callService = openDownstream(settings, service);
  const sealing = [settings.TOKEN_SEALING_KEY, settings.TOKEN_SEALING_FORMER_KEYS] as const;
  const resources = openResources(openCursors(...sealing), settings.MCP_RESULT_BYTES);
  const tools = [
    evaluateTool(callService),
    executeTool(callService, openPageTokens(...sealing), settings.MCP_RESULT_BYTES),
  ];
  return serverBuilder(tools, resources, service.log);
};

const startStatelessProtocol = (
  build: BuildServer,
  settings: McpSettings,
  service: Service,
): StatelessProtocol => {
  const protocol = openStatelessProtocol(build, {
    perSubject: settings.MCP_STREAMS_PER_SUBJECT,
    perProject: settings.MCP_STREAMS_PER_PROJECT,
    total: settings.MCP_STREAMS,
  });
  service.onStopping(() => protocol.endStreams());
  service.onClose("notifications", () => protocol.close());
  return protocol;
};

const sessionLimits = (settings: McpSettings) => ({
  idleMs: settings.MCP_SESSION_IDLE_SECONDS * 1_000,
  perSubject: settings.MCP_SESSIONS_PER_SUBJECT,
  perOrganization: settings.MCP_SESSIONS_PER_ORGANIZATION,
});

await runService(async () => {
  const settings = readSettings(McpSettings);
  const service = await startService("mcp", settings);
  const graph = openServiceGraph(service, settings);
  const publicUrl = settings.MCP_PUBLIC_URL ?? settings.PUBLIC_URL;
  const build = buildServers(settings, service);
  const statelessProtocol = startStatelessProtocol(build, settings, service);
  const catalog = openServiceCatalog(service, settings, graph, {
    budget: expressionBudget(settings),
    onChange: (change) => statelessProtocol.onChange(change),
  });
  const introspection = openServiceIntrospection(service, settings, graph);
  const sessions = openSessions(service.redis, sessionLimits(settings));
  const sessionCounts = watchSessions(sessions, service.metrics);
  service.onClose("counts of sessions", () => sessionCounts.close());
  const refusals = openRepeatedRefusals(service.trail, settings.AUDIT_REFUSAL_SECONDS * 1_000);
  service.onClose("records of refusals", () => refusals.close());
  service.app.use(
    serveMcp({
      origins: openOrigins(settings.MCP_ALLOWED_ORIGINS, settings.HOST, publicUrl),
      basePath: basePathOf(publicUrl),
      endpointOf: openEndpoints(catalog, publicUrl),
      introspection,
      checkScopes: openScopes(settings),
      rate: openProjectRate(openRequestRate(service.redis, service.log), service.metrics.refusals()),
      sessionProtocol: openSessionProtocol(sessions, build),
      statelessProtocol,
      trail: service.trail,
      refusals,
      contextOf: service.internalContextOf,
      messageBytes: settings.MCP_MESSAGE_BYTES,
      readBody: service.readBody,
    }),
  );
  await service.listen();
});

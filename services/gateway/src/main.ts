import { openCredentials, signInternalContext } from "@ikg/auth";
import { operations } from "@ikg/contracts";
import { connectGraph } from "@ikg/graph";
import {
  graphSettings,
  limitBounds,
  openRepeatedRefusals,
  readSettings,
  runService,
  startService,
} from "@ikg/service";
import { admissionBy } from "./admission.ts";
import { aliasesOf, emptyCollections } from "./aliases.ts";
import { openAnonymousLimit } from "./anonymous-limit.ts";
import { auditKeys } from "./audit-keys.ts";
import { gateway } from "./gateway.ts";
import { openInFlight } from "./in-flight.ts";
import { mcp } from "./mcp.ts";
import { metadata } from "./metadata.ts";
import { recordRejections } from "./rejections.ts";
import { openRateLimits } from "./rate-limit.ts";
import { reference } from "./reference/reference.ts";
import { routesOf } from "./routing.ts";
import { serverLimits } from "./server-limits.ts";
import { GatewaySettings } from "./settings.ts";
import { openUpstreams } from "./upstream/upstreams.ts";

await runService(async () => {
  const settings = readSettings(GatewaySettings);
  const service = await startService("gateway", settings, serverLimits(settings));
  const graph = connectGraph(graphSettings(settings), service);
  service.onClose("neo4j", () => graph.close());
  const { redis, log, metrics } = service;
  const credentials = openCredentials({
    graph,
    redis,
    pepper: settings.CREDENTIAL_PEPPER,
    formerPeppers: settings.CREDENTIAL_FORMER_PEPPERS,
    log,
    limits: limitBounds(settings),
    onLookup: metrics.lookups("credentials"),
  });
  service.onReadyCheck("neo4j", () => credentials.ready());
  service.onClose("credentials", () => credentials.close());
  const refusals = metrics.refusals();
  const rejections = openRepeatedRefusals(service.trail, settings.AUDIT_REFUSAL_SECONDS * 1_000);
  service.onClose("records of refusals", () => rejections.close());
  const limits = openRateLimits(
    redis,
    {
      perSecond: settings.RATE_LIMIT_PER_SECOND,
      failedPerMinute: settings.RATE_LIMIT_FAILED_PER_MINUTE,
    },
    refusals,
  );
  const upstreams = openUpstreams(settings, service);
  const { COMPAT_ALIASES: aliases } = settings;
  const sign = signInternalContext(settings.INTERNAL_CONTEXT_KEY);
  service.app.use(
    gateway({
      match: routesOf(aliases.has("empty-collections") ? [...operations, ...emptyCollections] : operations),
      admit: admissionBy(credentials, limits, aliases.has("client-key")),
      inFlight: openInFlight(credentials, settings.CREDENTIAL_REQUESTS_IN_FLIGHT, refusals),
      recordRejection: recordRejections(service.trail, rejections),
      sign,
      upstreams,
      aliases: aliasesOf(aliases),
    }),
  );
  const anonymous = openAnonymousLimit(settings.RATE_LIMIT_ANONYMOUS_PER_SECOND, refusals);
  service.app.use(metadata(settings.PUBLIC_URL, anonymous));
  if (settings.API_REFERENCE)
    for (const handler of reference(settings.PUBLIC_URL, anonymous)) service.app.use(handler);
  service.app.use(mcp(upstreams.mcp, anonymous, sign));
  if (upstreams.audit !== undefined) service.app.use(auditKeys(upstreams.audit, anonymous));
  await service.listen();
});

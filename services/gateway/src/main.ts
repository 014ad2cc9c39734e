import type { z } from "zod";
import { type Credentials, openCredentials, signInternalContext } from "@ikg/auth";
import { operations } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import {
  graphSettings,
  limitBounds,
  openRepeatedRefusals,
  readSettings,
  runService,
  type ServerLimits,
  type Service,
  startService,
} from "@ikg/service";
import { admissionBy } from "./admission.ts";
import { aliasesOf } from "./aliases.ts";
import { openAnonymousLimit } from "./anonymous-limit.ts";
import { auditKeys } from "./audit-keys.ts";
import { clientAddressBy, type ClientAddressOf } from "./client-address/client-address.ts";
import { trustedProxies } from "./client-address/trusted-proxies.ts";
import { emptyCollections } from "./empty-collections.ts";
import { gateway, type GatewayParts } from "./gateway.ts";
import { openInFlight } from "./in-flight.ts";
import { mcp } from "./mcp.ts";
import { metadata } from "./authzen-metadata.ts";
import { recordRejections } from "./rejections.ts";
import { openRateLimits } from "./rate-limit.ts";
import { reference } from "./reference/reference.ts";
import { routesOf } from "./routing.ts";
import { GatewaySettings } from "./settings.ts";
import { openUpstreams, type Upstreams } from "./upstream/upstreams.ts";

type Settings = z.output<typeof GatewaySettings>;

/** What the HTTP server allows a client, who need not have a credential. */
const serverLimits = (settings: Settings): Partial<ServerLimits> => ({
  headersMs: settings.HEADERS_MS,
  anonymousMs: settings.ANONYMOUS_BODY_MS,
  pipelined: settings.PIPELINED_REQUESTS,
  connections: {
    inAll: settings.MAX_CONNECTIONS,
    perAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
    isShared: trustedProxies(settings.TRUSTED_PROXIES),
  },
});

const openGraph = (settings: Settings, service: Service): Graph => {
  const graph = connectGraph(graphSettings(settings), service);
  service.onClose("neo4j", () => graph.close());
  return graph;
};

const startCredentials = (graph: Graph, settings: Settings, service: Service): Credentials => {
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
  service.onReadyCheck("neo4j", async () => (await graph.ready()) && (await credentials.ready()));
  service.onClose("credentials", () => credentials.close());
  return credentials;
};

type OnRefused = (limit: string) => void;

/** What the gateway checks and does for an operation. */
const operationParts = (
  credentials: Credentials,
  upstreams: Upstreams,
  onRefused: OnRefused,
  addressOf: ClientAddressOf,
  settings: Settings,
  service: Service,
): GatewayParts => {
  const { COMPAT_ALIASES: aliases } = settings;
  const repeats = openRepeatedRefusals(service.trail, settings.AUDIT_REFUSAL_SECONDS * 1_000);
  service.onClose("records of refusals", () => repeats.close());
  const rates = {
    perSecond: settings.RATE_LIMIT_PER_SECOND,
    failedPerMinute: settings.RATE_LIMIT_FAILED_PER_MINUTE,
  };
  const limits = openRateLimits(service.redis, rates, onRefused);
  return {
    match: routesOf(aliases.has("empty-collections") ? [...operations, ...emptyCollections] : operations),
    addressOf,
    admit: admissionBy(credentials, limits, addressOf, aliases.has("client-key")),
    inFlight: openInFlight(credentials, settings.CREDENTIAL_REQUESTS_IN_FLIGHT, onRefused),
    recordRejection: recordRejections(service.trail, repeats, addressOf),
    sign: signInternalContext(settings.INTERNAL_CONTEXT_KEY),
    upstreams,
    aliases: aliasesOf(aliases),
  };
};

/** Mounts the paths that need no client key; services judge the tokens of some. */
const mountPublicPaths = (
  service: Service,
  upstreams: Upstreams,
  onRefused: OnRefused,
  addressOf: ClientAddressOf,
  settings: Settings,
): void => {
  const limit = openAnonymousLimit(settings.RATE_LIMIT_ANONYMOUS_PER_SECOND, addressOf, onRefused);
  service.app.use(metadata(settings.PUBLIC_URL, limit));
  if (settings.API_REFERENCE)
    for (const handler of reference(settings.PUBLIC_URL, limit)) service.app.use(handler);
  const sign = signInternalContext(settings.INTERNAL_CONTEXT_KEY);
  service.app.use(mcp(upstreams.mcp, limit, sign, addressOf));
  if (upstreams.audit !== undefined) service.app.use(auditKeys(upstreams.audit, limit));
};

await runService(async () => {
  const settings = readSettings(GatewaySettings);
  const service = await startService("gateway", settings, serverLimits(settings));
  const credentials = startCredentials(openGraph(settings, service), settings, service);
  const onRefused = service.metrics.refusals();
  const upstreams = openUpstreams(settings, service);
  const addressOf = clientAddressBy(trustedProxies(settings.TRUSTED_PROXIES));
  // Operations first: most requests are for one.
  service.app.use(gateway(operationParts(credentials, upstreams, onRefused, addressOf, settings, service)));
  mountPublicPaths(service, upstreams, onRefused, addressOf, settings);
  await service.listen();
});

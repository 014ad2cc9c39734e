import { fileURLToPath } from "node:url";
import type { RequestHandler } from "express";
import type { z } from "zod";
import {
  type ContextHeaders,
  type Credentials,
  openContextHeaders,
  openCredentials,
  openPeople,
  type People,
} from "@ikg/auth";
import { defaultHeavyStatements } from "@ikg/concurrency";
import { operations } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import {
  graphSettings,
  limitBounds,
  openProjectRate,
  openRepeatedRefusals,
  openRequestRate,
  readSettings,
  runService,
  type ServerLimits,
  type Service,
  StartError,
  startService,
} from "@ikg/service";
import { watchAccountTokens } from "./account-tokens.ts";
import { admissionBy } from "./admission.ts";
import { aliasesOf } from "./aliases.ts";
import { type AnonymousLimit, openAnonymousLimit } from "./anonymous-limit.ts";
import { auditKeys } from "./audit-keys.ts";
import { addressBy, clientBy, type ClientOf } from "./client-address/client-address.ts";
import { noteClientBy } from "./client-address/note-client.ts";
import { trustedProxies } from "./client-address/trusted-proxies.ts";
import { consolePages } from "./console/console.ts";
import { readConsoleFiles } from "./console/read-files.ts";
import { emptyCollections } from "./empty-collections.ts";
import { gateway, type GatewayParts } from "./gateway.ts";
import { openInFlight } from "./in-flight.ts";
import { mcp } from "./mcp.ts";
import { metadata } from "./authzen-metadata.ts";
import { resourceMetadata } from "./people/resource-metadata.ts";
import { type PeopleIssuer, peopleIssuer } from "./people/settings.ts";
import { recordRejections } from "./rejections.ts";
import { openRateLimits } from "./rate-limit.ts";
import { reference } from "./reference/reference.ts";
import { routesOf } from "./routing.ts";
import { GatewaySettings } from "./settings.ts";
import { openRequestTurns, type RequestTurns, turnLimits } from "./turns/request-turns.ts";
import { openUpstreams, type Upstreams } from "./upstream/upstreams.ts";

type Settings = z.output<typeof GatewaySettings>;

/** What the HTTP server allows a client, who need not have a credential. */
const serverLimits = (settings: Settings): Partial<ServerLimits> => ({
  headersMs: settings.HEADERS_MS,
  anonymousMs: settings.ANONYMOUS_BODY_MS,
  pipelined: settings.PIPELINED_REQUESTS,
  connections: {
    total: settings.MAX_CONNECTIONS,
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

/** @throws StartError for settings that do not fit together. */
const issuerOf = (settings: Settings): PeopleIssuer | undefined => {
  const issuer = peopleIssuer(settings, {
    allowHttp: settings.EGRESS_ALLOW_HTTP,
    allowHosts: settings.EGRESS_ALLOW_HOSTS,
    allowCidrs: settings.EGRESS_ALLOW_CIDRS,
  });
  if (issuer !== undefined && !("issuer" in issuer)) throw new StartError(issuer);
  return issuer;
};

/** People who administer; undefined without an issuer for them. */
const startPeople = (
  graph: Graph,
  issuer: PeopleIssuer | undefined,
  settings: Settings,
  service: Service,
): People | undefined => {
  if (issuer === undefined) return undefined;
  const { redis, log, metrics } = service;
  const people = openPeople({
    service: service.name,
    issuer: {
      ...issuer,
      organization: settings.OIDC_ORGANIZATION,
      acrValues: settings.OIDC_ACR_VALUES,
      maxAgeSeconds: settings.OIDC_MAX_AGE_SECONDS,
    },
    // Responses of the issuer are cached for gateways alone, under a key of their own.
    settings: {
      ...settings,
      TOKEN_SEALING_KEY: settings.CREDENTIAL_PEPPER,
      TOKEN_SEALING_FORMER_KEYS: settings.CREDENTIAL_FORMER_PEPPERS,
    },
    graph,
    redis,
    log,
    metrics,
  });
  service.onClose("people", () => people.close());
  return people;
};

type OnRefused = (limit: string) => void;

/** How the gateway calls services: for every path. */
interface Calls {
  readonly upstreams: Upstreams;
  readonly contextHeaders: ContextHeaders;
  readonly clientOf: ClientOf;
}

const openCalls = (settings: Settings, service: Service): Calls => ({
  upstreams: openUpstreams(settings, service),
  contextHeaders: openContextHeaders("gateway", settings.GATEWAY_SIGNING_KEY, settings.INTERNAL_CONTEXT_KEY),
  clientOf: clientBy(trustedProxies(settings.TRUSTED_PROXIES)),
});

const openTurns = (settings: Settings, service: Service, onRefused: OnRefused): RequestTurns => {
  const { heavyStatements = defaultHeavyStatements() } = graphSettings(settings);
  const turns = openRequestTurns(turnLimits(heavyStatements), onRefused);
  service.onStopping(() => turns.stop());
  service.metrics.gauge(
    "ikg_requests_waiting_for_turn",
    "Requests that wait because their project has many at one time while other projects are active.",
    [],
    (gauge) => gauge.set({}, turns.waiting),
  );
  return turns;
};

/** What the gateway checks and does for an operation. */
const operationParts = (
  credentials: Credentials,
  people: People | undefined,
  { upstreams, contextHeaders, clientOf }: Calls,
  onRefused: OnRefused,
  settings: Settings,
  service: Service,
): GatewayParts => {
  const addressOf = addressBy(clientOf);
  const { COMPAT_ALIASES: aliases } = settings;
  const repeats = openRepeatedRefusals(service.trail, settings.AUDIT_REFUSAL_SECONDS * 1_000);
  service.onClose("records of refusals", () => repeats.close());
  const rates = {
    perSecond: settings.RATE_LIMIT_PER_SECOND,
    failedPerMinute: settings.RATE_LIMIT_FAILED_PER_MINUTE,
  };
  const limits = openRateLimits(service.redis, rates, onRefused);
  const projectRate = openProjectRate(openRequestRate(service.redis, service.log), onRefused);
  const inFlight = {
    perCredential: settings.CREDENTIAL_REQUESTS_IN_FLIGHT,
    sockets: settings.UPSTREAM_SOCKETS,
  };
  return {
    match: routesOf(aliases.has("empty-collections") ? [...operations, ...emptyCollections] : operations),
    noteClient: noteClientBy(clientOf),
    admit: admissionBy(credentials, people, limits, addressOf, aliases.has("client-key")),
    inFlight: openInFlight(credentials, projectRate, inFlight, onRefused),
    turns: openTurns(settings, service, onRefused),
    onAdmitted: watchAccountTokens(credentials, service.redis, service.log),
    recordRejection: recordRejections(repeats, addressOf),
    contextHeaders,
    upstreams,
    aliases: aliasesOf(aliases),
  };
};

/** Where `apps/console/build.ts` leaves the built files. */
const consoleFolder = fileURLToPath(new URL("../../../apps/console/dist", import.meta.url));

/** @throws StartError where the console was not built. */
const consoleOf = (issuer: PeopleIssuer | undefined, limit: AnonymousLimit): RequestHandler => {
  const files = readConsoleFiles(consoleFolder);
  if (files === undefined)
    throw new StartError(["CONSOLE: the console was not built; run `node apps/console/build.ts`"]);
  return consolePages(files, issuer === undefined ? [] : [new URL(issuer.issuer).origin], limit);
};

/** Mounts the paths that need no client key; services verify the tokens of some. */
const mountPublicPaths = (
  service: Service,
  { upstreams, contextHeaders, clientOf }: Calls,
  onRefused: OnRefused,
  issuer: PeopleIssuer | undefined,
  settings: Settings,
): void => {
  const addressOf = addressBy(clientOf);
  const limit = openAnonymousLimit(settings.RATE_LIMIT_ANONYMOUS_PER_SECOND, addressOf, onRefused);
  service.app.use(metadata(settings.PUBLIC_URL, limit));
  if (issuer !== undefined) service.app.use(resourceMetadata(settings.PUBLIC_URL, issuer, settings, limit));
  if (settings.API_REFERENCE)
    for (const handler of reference(settings.PUBLIC_URL, limit)) service.app.use(handler);
  if (settings.CONSOLE) service.app.use(consoleOf(issuer, limit));
  service.app.use(mcp(upstreams.mcp, limit, contextHeaders, addressOf));
  if (upstreams.audit !== undefined) service.app.use(auditKeys(upstreams.audit, limit));
};

await runService(async () => {
  const settings = readSettings(GatewaySettings);
  const service = await startService("gateway", settings, serverLimits(settings));
  const graph = openGraph(settings, service);
  const credentials = startCredentials(graph, settings, service);
  const issuer = issuerOf(settings);
  const people = startPeople(graph, issuer, settings, service);
  const onRefused = service.metrics.refusals();
  const calls = openCalls(settings, service);
  // Operations first: most requests are for one.
  service.app.use(gateway(operationParts(credentials, people, calls, onRefused, settings, service)));
  mountPublicPaths(service, calls, onRefused, issuer, settings);
  await service.listen();
});

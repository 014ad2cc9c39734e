import { openEmission } from "@ikg/audit";
import { openOutbox } from "@ikg/announcements";
import { connectGraph, type Graph, graphReadyCheck } from "@ikg/graph";
import type { Gid } from "@ikg/contracts";
import { keyRing } from "@ikg/secrets";
import { graphSettings, limitBounds, type Service, startService } from "@ikg/service";
import { checkpoints } from "./routes/checkpoints.ts";
import { keys, keysPath } from "./routes/keys.ts";
import { openLogPages } from "./routes/log-pages.ts";
import { logs } from "./routes/logs.ts";
import { manifests } from "./routes/manifests.ts";
import type { AuditSettings } from "./settings.ts";
import { platformSigner } from "./signing/platform-key.ts";
import { openAwsKms } from "./signing/providers/aws-kms.ts";
import { openAzureKeyVault } from "./signing/providers/azure-key-vault.ts";
import { openGcpKms } from "./signing/providers/gcp-kms.ts";
import { type Signers, signersBy } from "./signing/signers.ts";
import { chainReads, type ChainReads, storedChains } from "./store/chains.ts";
import { cachedKeys } from "./store/cached-keys.ts";
import { keyVersion, withKeyVersions } from "./store/key-versions.ts";
import { writerMetrics } from "./writer/writer-metrics.ts";
import type { WriterSettings } from "./writer/steps.ts";
import { startWriter, type Writer } from "./writer/writer.ts";

const openGraph = (service: Service, settings: AuditSettings): Graph => {
  const graph = connectGraph(graphSettings(settings), service);
  service.onReadyCheck("neo4j", graphReadyCheck(graph, service.log));
  service.onClose("neo4j", () => graph.close());
  return graph;
};

/** The signer of the platform and those of customers' key services. */
const openSigners = (
  service: Service,
  settings: AuditSettings,
  platform: Awaited<ReturnType<typeof platformSigner>>,
): Signers => {
  const signers = signersBy(platform, {
    CUSTOMER_AWS_KMS: openAwsKms({
      kmsEndpoint: settings.AUDIT_AWS_KMS_ENDPOINT,
      stsEndpoint: settings.AUDIT_AWS_STS_ENDPOINT,
    }),
    CUSTOMER_GCP_KMS: openGcpKms({
      kmsEndpoint: settings.AUDIT_GCP_KMS_ENDPOINT,
      iamEndpoint: settings.AUDIT_GCP_IAM_ENDPOINT,
    }),
    CUSTOMER_AZURE_KEY_VAULT: openAzureKeyVault({
      hostSuffixes: settings.AUDIT_AZURE_ALLOWED_HOST_SUFFIXES,
      authorityHost: settings.AUDIT_AZURE_AUTHORITY_HOST,
    }),
  });
  service.onClose("signers", async () => signers.close());
  return signers;
};

/** Emits the records about signing itself. They are few, and say why the others wait, so they are not bounded. */
const openOwnEmission = ({ redis, log, metrics }: Service) => {
  const lost = metrics.counter("ikg_audit_own_lost_total", "Records of signing that could not be kept.");
  return openEmission({ redis, log, deadlineMs: 2_000, unbounded: true, onLost: () => lost.inc() });
};

const writerSettings = (settings: AuditSettings): WriterSettings => {
  const limits = limitBounds(settings);
  return {
    pollMs: settings.AUDIT_POLL_MS,
    leaseMs: settings.AUDIT_LEASE_MS,
    checkpointMs: settings.AUDIT_CHECKPOINT_SECONDS * 1_000,
    retentionDays: settings.AUDIT_RETENTION_DAYS,
    bounds: {
      total: settings.AUDIT_WAITING_BYTES,
      project: limits.defaults.audit_waiting_bytes,
      reserve: settings.AUDIT_WAITING_RESERVE_BYTES,
    },
    limits,
  };
};

/** Closes the writer with the service, and shows how long records wait for a signature. */
const watchWriter = (service: Service, writer: Writer): void => {
  const pending = service.metrics.gauge(
    "audit_signing_pending_seconds",
    "How long records have been waiting because they cannot be signed.",
  );
  const timer = setInterval(() => pending.set(writer.pendingMs() / 1_000), 1_000).unref();
  service.onClose("writer", async () => {
    clearInterval(timer);
    await writer.close();
  });
};

/** Composes the service and lets it listen; the writer starts once the constraints stand. */
export const openAudit = async (settings: AuditSettings): Promise<{ service: Service; port: number }> => {
  const service = await startService("audit", settings);
  const { redis, log, metrics } = service;
  const graph = openGraph(service, settings);
  const { shared: database } = graph;
  const chains = withKeyVersions(storedChains(database), redis);
  const chainsFor = (organization: Gid): ChainReads =>
    chainReads(graph.of({ id: organization, pk: organization }));
  const stored = { chains, chainsFor, database };
  const pages = openLogPages(settings.AUDIT_PAGE_BYTES, settings.AUDIT_PAGE_MEMORY_BYTES);
  service.mount(logs(stored, pages), manifests(stored), checkpoints(stored));
  service.app.get(keysPath, keys(cachedKeys(chains.keys, (project) => keyVersion(redis, project))));
  const { port } = await service.listen();

  // Announcements of changes whose process died are published by a service that runs: configs, or this one.
  const outbox = openOutbox({ database, redis, log });
  outbox.start();
  service.onClose("unpublished changes", () => outbox.close());

  const sealing = keyRing(settings.CONFIG_ENCRYPTION_KEY, settings.CONFIG_ENCRYPTION_FORMER_KEYS);
  const platform = await platformSigner(database, sealing, settings.AUDIT_PLATFORM_KEY_JWK);
  const { emit } = openOwnEmission(service);
  const signers = openSigners(service, settings, platform);
  const writer = startWriter(
    {
      database,
      keys: sealing,
      chains,
      signers,
      redis,
      settings: {
        batchMs: settings.AUDIT_BATCH_MS,
        retryMinMs: settings.AUDIT_RETRY_MIN_MS,
        retryMaxMs: settings.AUDIT_RETRY_MAX_MS,
        spilledBytes: settings.AUDIT_SPILLED_BYTES,
      },
      log,
      emit,
      metrics: writerMetrics(metrics),
      now: () => new Date(),
    },
    writerSettings(settings),
  );
  watchWriter(service, writer);
  return { service, port };
};

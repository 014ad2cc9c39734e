import { openEmission } from "@ikg/audit";
import { connectGraph, prepared } from "@ikg/graph";
import { keyRing } from "@ikg/secrets";
import { graphSettings, limitBounds, type Service, startService } from "@ikg/service";
import { checkpoints } from "./routes/checkpoints.ts";
import { keys, keysPath } from "./routes/keys.ts";
import { logs } from "./routes/logs.ts";
import { manifests } from "./routes/manifests.ts";
import type { AuditSettings } from "./settings.ts";
import { platformSigner } from "./signing/platform-key.ts";
import { openAwsKms } from "./signing/providers/aws-kms.ts";
import { openAzureKeyVault } from "./signing/providers/azure-key-vault.ts";
import { openGcpKms } from "./signing/providers/gcp-kms.ts";
import { signersBy } from "./signing/signers.ts";
import { storedChains } from "./store/chains.ts";
import { startWriter } from "./writer/writer.ts";

/** Puts the service together and lets it listen; the writer begins when the constraints stand. */
export const openAudit = async (settings: AuditSettings): Promise<{ service: Service; port: number }> => {
  const service = await startService("audit", settings);
  const graph = connectGraph(graphSettings(settings), service);
  const { redis, log, metrics } = service;
  service.onReadyCheck("neo4j", prepared(graph, log));
  service.onClose("neo4j", () => graph.close());
  const sealing = keyRing(settings.CONFIG_ENCRYPTION_KEY, settings.CONFIG_ENCRYPTION_FORMER_KEYS);
  const chains = storedChains(graph.shared);
  const reading = { chains, database: graph.shared };
  service.mount(logs(reading), manifests(reading), checkpoints(reading));
  service.app.get(keysPath, keys(chains));
  const { port } = await service.listen();

  const stored = metrics.counter(
    "ikg_audit_records_stored_total",
    "Audit records that are in a signed batch.",
  );
  const failures = metrics.counter("ikg_audit_signing_failures_total", "Signatures that were not possible.", [
    "reason",
  ]);
  const waiting = metrics.gauge(
    "ikg_audit_records_waiting",
    "Audit records of all projects that are not in a signed batch yet.",
  );
  const waitingBytes = metrics.gauge(
    "ikg_audit_bytes_waiting",
    "Bytes of audit records of all projects that are not in a signed batch yet.",
  );
  const lost = metrics.counter("ikg_audit_own_lost_total", "Records of signing that could not be kept.");
  const platform = await platformSigner(graph.shared, sealing, settings.AUDIT_PLATFORM_KEY_JWK);
  const { emit } = openEmission({
    redis,
    log,
    deadlineMs: 2_000,
    // Records of failures to sign are few, and say why the others wait.
    unbounded: true,
    onLost: () => lost.inc(),
  });
  const limits = limitBounds(settings);
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
  const writer = startWriter(
    {
      database: graph.shared,
      keys: sealing,
      chains,
      signers,
      redis,
      settings: {
        batchMs: settings.AUDIT_BATCH_MS,
        retryMinMs: settings.AUDIT_RETRY_MIN_MS,
        retryMaxMs: settings.AUDIT_RETRY_MAX_MS,
      },
      log,
      emit,
      told: {
        stored: (events) => stored.inc(events),
        waiting: ({ records, bytes }) => {
          waiting.set(records);
          waitingBytes.set(bytes);
        },
        failed: (reason) => failures.inc({ reason }),
      },
      now: () => new Date(),
    },
    {
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
    },
  );
  const pending = metrics.gauge(
    "audit_signing_pending_seconds",
    "How long records have been waiting because they cannot be signed.",
  );
  const look = setInterval(() => pending.set(writer.pendingMs() / 1_000), 1_000).unref();
  service.onClose("writer", async () => {
    clearInterval(look);
    await writer.close();
  });
  return { service, port };
};

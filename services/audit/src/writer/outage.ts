import { signingConfiguration } from "../signing/active-signing.ts";
import type { SigningFault } from "../signing/signer.ts";
import { type OpenChain, type Outage, takeChain } from "./open-chain.ts";
import { signingFields } from "./own-records.ts";
import { systemRecord } from "./system-record.ts";
import type { WriterParts } from "./writer-parts.ts";

/** True until the pause after the last failure of the key service has ended. */
export const isPaused = ({ outage, parts }: OpenChain): boolean =>
  outage !== undefined && parts.now().getTime() < outage.until;

/** The outage after one more failure: pauses double up to the longest. */
const extendOutage = (
  outage: Outage | undefined,
  { retryMinMs, retryMaxMs }: WriterParts["settings"],
  at: number,
): Outage => {
  const waitMs = outage === undefined ? retryMinMs : Math.min(outage.waitMs * 2, retryMaxMs);
  return { since: outage?.since ?? at, waitMs, until: at + waitMs };
};

/** Postpones a chain that cannot be signed; the first failure of an outage is recorded. */
export const noteFailure = async (chain: OpenChain, fault: SigningFault): Promise<void> => {
  const { parts, project } = chain;
  const { chains, log, metrics, now, settings, signers } = parts;
  const outage = extendOutage(chain.outage, settings, now().getTime());
  chain.outage = outage;
  signers.renew(project);
  metrics.failed(fault.reason);
  log.error("audit records cannot be signed; they wait", {
    audit_signing_failed: true,
    project,
    reason: fault.reason,
    error: fault,
    retry_ms: outage.waitMs,
  });
  const state = await takeChain(chain);
  if (state.failingSince !== undefined) return;
  // Its secrets may be what does not open.
  const configuration = await signingConfiguration(parts.database, project);
  const data = { ...signingFields(configuration, configuration.kid ?? ""), reason: fault.reason };
  await parts.emit(systemRecord("audit.signing.failed", project, data, now()), chain.organization);
  chain.state = await chains.markFailing(state, new Date(outage.since));
};

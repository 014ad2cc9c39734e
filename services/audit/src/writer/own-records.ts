import { type AuditRecord, canonical } from "@ikg/audit";
import type { SigningConfiguration } from "../signing/active-signing.ts";
import type { ChainState } from "../store/chain-state.ts";
import type { OpenChain } from "./open-chain.ts";
import type { SigningKey } from "./sign.ts";
import type { Streams } from "./streams.ts";
import { systemRecord } from "./system-record.ts";

/** Members that every record about signing has. */
export const signingFields = ({ configId, provider }: SigningConfiguration, kid: string) => ({
  ...(configId === undefined ? {} : { config_id: configId }),
  provider,
  kid,
});

/** The writer's own records for the next batch. @param current the streams that this batch will name */
export const ownRecords = (
  { outage, project, parts }: OpenChain,
  { active, registered }: SigningKey,
  { kid: former, streams, batchTime }: ChainState,
  current: Streams,
): readonly string[] => {
  const { kid } = registered.jwk;
  const [data, now] = [signingFields(active, kid), parts.now()];
  const records: AuditRecord[] = [];
  if (streams !== undefined && streams !== current.id) {
    const gap = { ...(batchTime === undefined ? {} : { since: batchTime }), until: current.since };
    records.push(systemRecord("audit.streams.replaced", project, gap, now));
  }
  if (outage !== undefined) records.push(systemRecord("audit.signing.recovered", project, data, now));
  if (former !== undefined && former !== kid)
    records.push(systemRecord("audit.signing.rotated", project, data, now));
  return records.map(canonical);
};

import { headHash, type Manifest, sha256 } from "@ikg/audit";
import { newUuid } from "@ikg/contracts";
import type { ChainState, SpilledBatch } from "../store/chain-state.ts";
import type { Cut } from "./cut.ts";
import { type OpenChain, takeChain } from "./open-chain.ts";
import { signArtefact, type SigningKey } from "./sign.ts";
import type { Streams } from "./streams.ts";

const signManifest = async (
  { project, parts }: OpenChain,
  { sequence, headHash: prev_hash }: ChainState,
  data: string,
  key: SigningKey,
): Promise<Manifest> => {
  const link = {
    project_id: project,
    sequence: sequence + 1,
    prev_hash,
    data_hash: await sha256(data),
    batch_id: newUuid(),
  };
  const { kid, alg } = key.registered.jwk;
  const created_at = parts.now().toISOString();
  return signArtefact<Manifest>(
    "manifest",
    { ...link, manifest_id: newUuid(), head_hash: await headHash(link), created_at, kid, alg },
    key,
  );
};

/** What a batch is made of. */
interface BatchContents {
  /** Canonical text of the array of events. */
  readonly events: string;
  /** Those that `ownRecords` compared: if Redis is replaced while the batch is signed, the next batch records the gap. */
  readonly streams: Streams;
  readonly cut?: Cut;
  readonly spilled?: SpilledBatch;
}

/** Signs and stores a batch; the same transaction removes the stored records that it contains from where they waited. */
export const append = async (
  chain: OpenChain,
  key: SigningKey,
  { events, streams, cut, spilled }: BatchContents,
): Promise<void> => {
  const { parts, project } = chain;
  const state = await takeChain(chain);
  const manifest = await signManifest(chain, state, events, key);
  chain.state = await parts.chains.append(state, {
    manifest,
    data: events,
    position: cut?.entries.at(-1),
    outbox: cut?.outbox ?? [],
    spilled,
    key: key.registered,
    streams: streams.id,
  });
  if (chain.outage !== undefined) parts.log.info("audit records are signed again", { project });
  chain.outage = undefined;
};

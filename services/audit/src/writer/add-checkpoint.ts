import { type Checkpoint, checkChain } from "@ikg/audit";
import { newUuid } from "@ikg/contracts";
import { SigningFault } from "../signing/signer.ts";
import type { ChainState } from "../store/chain-state.ts";
import type { WriterParts } from "./writer-parts.ts";
import { signArtefact, signingKeyOf } from "./sign.ts";

/** The head of a chain, as it is stored, verified again. */
const headFaults = async ({ chains }: WriterParts, { project, sequence, headHash }: ChainState) => {
  const question = { project, from: sequence - 1, limit: 1 };
  const [[manifest], [batch], keys] = await Promise.all([
    chains.manifests(question),
    chains.batches(question),
    chains.keys(project),
  ]);
  const check = checkChain({ partial: true });
  for (const { jwk } of keys) await check.key(jwk);
  if (manifest === undefined || manifest.head_hash !== headHash) check.fail("head", "it is not stored");
  else await check.manifest(manifest);
  if (batch === undefined) check.fail("head", "its records are not stored");
  else await check.batch(batch);
  return check.end().failed;
};

/** Signs how far a chain has come. A head that does not verify gets no checkpoint, and an error in the log. */
export const addCheckpoint = async (parts: WriterParts, state: ChainState): Promise<void> => {
  const { chains, log, now } = parts;
  const { project, sequence, headHash: head_hash } = state;
  const failed = await headFaults(parts, state);
  if (failed.length > 0) {
    log.error("the head of an audit chain does not verify", { audit_chain_broken: true, project, failed });
    return;
  }
  try {
    const key = await signingKeyOf(parts, project);
    const { kid, alg } = key.registered.jwk;
    const checkpoint = await signArtefact<Checkpoint>(
      "checkpoint",
      {
        checkpoint_id: newUuid(),
        project_id: project,
        sequence,
        head_hash,
        created_at: now().toISOString(),
        kid,
        alg,
      },
      key,
    );
    await chains.addCheckpoint(state, checkpoint, key.registered);
  } catch (error) {
    if (!(error instanceof SigningFault)) throw error;
    parts.signers.renew(project);
    log.warn("a checkpoint cannot be signed; retrying", { project, reason: error.reason });
  }
};

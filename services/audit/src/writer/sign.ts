import { isDeepStrictEqual } from "node:util";
import {
  type Checkpoint,
  detachedSignature,
  type Manifest,
  signatureFault,
  type SignedKind,
  type Unsigned,
  verifyingKey,
} from "@ikg/audit";
import type { Database } from "@ikg/graph";
import type { KeyRing } from "@ikg/secrets";
import { type ActiveSigning, activeSigning } from "../signing/active-signing.ts";
import { type Signer, SigningFault } from "../signing/signer.ts";
import type { Signers } from "../signing/signers.ts";
import type { RegisteredKey } from "../store/chain-state.ts";
import type { Chains } from "../store/chains.ts";

/** The current signing key of a project, verified to be the only key that its kid has named. */
export interface SigningKey {
  readonly active: ActiveSigning;
  readonly registered: RegisteredKey;
  readonly signer: Signer;
}

export interface SigningParts {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly chains: Chains;
  readonly signers: Signers;
}

/** @throws SigningFault, `kid_reused` when the name has signed with another key before. */
export const signingKeyOf = async (
  { database, keys, chains, signers }: SigningParts,
  project: string,
): Promise<SigningKey> => {
  const active = await activeSigning(database, keys, project);
  const signer = await signers.of(active, project);
  const jwk = await signer.publicKey();
  const known = await chains.key(project, jwk.kid);
  if (known !== undefined && !isDeepStrictEqual(known.jwk, jwk))
    throw new SigningFault("kid_reused", `the kid "${jwk.kid}" has signed with another key`);
  const { provider, keyResource } = active;
  return { active, signer, registered: known ?? { jwk, provider, keyResource } };
};

/**
 * Signs an artefact, and verifies the signature that the provider returns.
 *
 * @throws SigningFault
 */
export const signArtefact = async <T extends Manifest | Checkpoint>(
  kind: SignedKind,
  unsigned: Unsigned<T>,
  { signer, registered: { jwk } }: SigningKey,
): Promise<T> => {
  const named = unsigned as unknown as Unsigned<Manifest> | Unsigned<Checkpoint>; // one of the two that T is
  const signature = await detachedSignature(kind, named, (input) => signer.sign(input));
  const whole = { ...named, signature } as T; // what was left out is there
  const fault = await signatureFault(kind, whole, new Map([[jwk.kid, await verifyingKey(jwk)]]));
  if (fault !== undefined)
    throw new SigningFault("unsupported_key", `the provider's signature does not verify: ${fault}`);
  return whole;
};

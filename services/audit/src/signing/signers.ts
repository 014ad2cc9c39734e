import type { SigningProvider } from "@ikg/contracts";
import type { ActiveSigning } from "./active-signing.ts";
import { type Signer, SigningFault } from "./signer.ts";

/** Makes a signer of a configuration; loads what it needs of the provider. */
export type OpenSigner = (active: ActiveSigning, project: string) => Promise<Signer>;

export type SignerOf = (active: ActiveSigning, project: string) => Promise<Signer>;

interface Kept {
  readonly version: number;
  readonly signer: Promise<Signer>;
}

/**
 * The signer of a configuration: one for each version of it, so that a change drops what was opened before.
 *
 * @param providers how the customers' keys are reached.
 */
export const signersBy = (
  platform: Signer,
  providers: Readonly<Partial<Record<SigningProvider, OpenSigner>>>,
): SignerOf => {
  const kept = new Map<string, Kept>();
  return async (active, project) => {
    const { configId, provider, version } = active;
    if (configId === undefined || provider === "PLATFORM_MANAGED") return platform;
    const known = kept.get(configId);
    if (known !== undefined && known.version === version) return known.signer;
    const openSigner = providers[provider];
    if (openSigner === undefined)
      throw new SigningFault("unsupported_key", `the provider ${provider} is not available here`);
    const signer = openSigner(active, project);
    kept.set(configId, { version, signer });
    // What could not be opened is opened again by the next try.
    signer.catch(() => kept.delete(configId));
    return signer;
  };
};

import type { SigningProvider } from "@ikg/contracts";
import { type Breaker, CircuitOpen, openBreaker } from "@ikg/egress";
import type { ActiveSigning } from "./active-signing.ts";
import { type Signer, SigningFault } from "./signer.ts";

/** Makes a signer of a configuration; loads what it needs of the provider. */
export type OpenSigner = (active: ActiveSigning, project: string) => Promise<Signer>;

/** The signers of this process: one for each project that has a configuration of its own. */
export interface Signers {
  /** @throws SigningFault */
  of(active: ActiveSigning, project: string): Promise<Signer>;
  /** After a failure: the next attempt opens the provider and fetches the key again. */
  renew(project: string): void;
  close(): void;
}

interface Kept {
  readonly configId: string;
  readonly version: number;
  readonly breaker: Breaker;
  signer: Promise<Signer> | undefined;
}

/** Failures that say nothing of the provider's health. */
const isAnswer = (error: unknown): boolean =>
  error instanceof SigningFault && error.reason !== "unavailable" && error.reason !== "throttled";

/** An error of a provider's library while it is opened, as a failure to sign; its text may quote what was configured. */
const openingFault = (provider: SigningProvider, error: unknown): SigningFault =>
  error instanceof SigningFault
    ? error
    : new SigningFault(
        "unavailable",
        `${provider} cannot be opened: ${error instanceof Error ? error.name : "unknown"}`,
      );

const guarded = (signer: Signer, breaker: Breaker): Signer => {
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await breaker.run(work);
    } catch (error) {
      throw error instanceof CircuitOpen
        ? new SigningFault("unavailable", "the provider has failed too often", error)
        : error;
    }
  };
  return {
    publicKey: () => through(() => signer.publicKey()),
    sign: (input) => through(() => signer.sign(input)),
    close: () => signer.close(),
  };
};

/**
 * @param providers how the customers' keys are reached. A change of a configuration drops what was opened of it.
 */
export const signersBy = (
  platform: Signer,
  providers: Readonly<Record<Exclude<SigningProvider, "PLATFORM_MANAGED">, OpenSigner>>,
): Signers => {
  const kept = new Map<string, Kept>();
  const release = ({ signer }: Kept): void => {
    // One that was never opened has nothing to let go of.
    void signer?.then(
      (opened) => opened.close(),
      () => undefined,
    );
  };
  const drop = (project: string): void => {
    const known = kept.get(project);
    if (known === undefined) return;
    kept.delete(project);
    known.breaker.shutdown();
    release(known);
  };
  return {
    of: async (active, project) => {
      const { configId, provider, version } = active;
      if (configId === undefined || provider === "PLATFORM_MANAGED") {
        drop(project);
        return platform;
      }
      const known = kept.get(project);
      if (known !== undefined && (known.configId !== configId || known.version !== version)) drop(project);
      const current = kept.get(project) ?? {
        configId,
        version,
        breaker: openBreaker(`audit signing ${configId}`, { ignores: isAnswer }),
        signer: undefined,
      };
      kept.set(project, current);
      current.signer ??= providers[provider](active, project).then(
        (signer) => guarded(signer, current.breaker),
        (error: unknown) => {
          throw openingFault(provider, error);
        },
      );
      return current.signer;
    },
    renew: (project) => {
      const known = kept.get(project);
      if (known === undefined) return;
      release(known);
      known.signer = undefined;
    },
    close: () => {
      for (const project of kept.keys()) drop(project);
    },
  };
};

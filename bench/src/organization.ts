/** An organization of a measurement's own, made by the command of operators and removed afterwards. */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBootstrap } from "../../stack/src/parts/bootstrap.ts";
import { removeScratchOrganization, scratchSlot } from "../../stack/src/parts/scratch-organization.ts";
import type { Target } from "./settings.ts";

export interface Organization {
  /** The same suite, by the credential of this organization. */
  readonly target: Target;
  remove(): Promise<void>;
}

export const makeOrganization = async (target: Target): Promise<Organization> => {
  const { neo4j, redisUrl, credentialPepper: pepper, gateway: publicUrl } = target;
  const file = join(tmpdir(), `ikg-bench-${randomUUID()}.json`);
  try {
    const made = await runBootstrap({
      file,
      backend: { neo4j, redisUrl },
      pepper,
      publicUrl,
      slot: scratchSlot(),
      signal: new AbortController().signal,
    });
    const { organization_id: organizationId, service_account_token: serviceAccountToken } = made;
    return {
      target: { ...target, organizationId, serviceAccountToken },
      remove: () => removeScratchOrganization(neo4j, organizationId),
    };
  } finally {
    rmSync(file, { force: true });
  }
};

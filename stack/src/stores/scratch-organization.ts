/** An organization for one run of tests or measurements, in a database that holds other data. */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partOf, recordLabel } from "@ikg/physical";
import neo4j from "neo4j-driver";
import type { OwnNeo4j } from "../settings.ts";
import { type BootstrapOptions, runBootstrap } from "../services/bootstrap.ts";

/** The place of its own keeps the run away from the organization and the credential that people use there. */
export const scratchSlot = (): string => `scratch/${randomUUID()}`;

/** Removes the organization with its records; what tests made in their projects they remove themselves. */
export const removeScratchOrganization = async (address: OwnNeo4j, organizationId: string): Promise<void> => {
  const driver = neo4j.driver(address.uri, neo4j.auth.basic(address.username, address.password));
  const session = driver.session({ database: "neo4j" });
  try {
    await session.run(
      `MATCH (organization:${recordLabel} {id: $organizationId}) ` +
        `OPTIONAL MATCH (organization)<-[:${partOf}*]-(part:${recordLabel}) DETACH DELETE part, organization`,
      { organizationId },
    );
  } finally {
    await session.close();
    await driver.close();
  }
};

/** An organization with its first service account; `remove` ends both. */
export interface ScratchOrganization {
  readonly organizationId: string;
  /** Of the service account. */
  readonly token: string;
  readonly remove: () => Promise<void>;
}

/** Creates one by the command of operators. */
export const createScratchOrganization = async ({
  backend,
  pepper,
  publicUrl,
}: Pick<BootstrapOptions, "backend" | "pepper" | "publicUrl">): Promise<ScratchOrganization> => {
  const file = join(tmpdir(), `ikg-scratch-${randomUUID()}.json`);
  try {
    const { organization_id: organizationId, service_account_token: token } = await runBootstrap({
      file,
      backend,
      pepper,
      publicUrl,
      slot: scratchSlot(),
      signal: new AbortController().signal,
    });
    const remove = (): Promise<void> => removeScratchOrganization(backend.neo4j, organizationId);
    return { organizationId, token, remove };
  } finally {
    rmSync(file, { force: true });
  }
};

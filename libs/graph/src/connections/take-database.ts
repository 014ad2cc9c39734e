import { setTimeout as wait } from "node:timers/promises";
import { claim } from "./claim.ts";
import { whyUnusable } from "../errors.ts";
import { prepareGraphSchema } from "../schema/schema.ts";
import { readSchemaState, schemaVersions, whyUnmigratable } from "../schema/schema-version.ts";
import type { Database } from "../types.ts";

/** The result of claiming a database for a project; `reason` is one line for its administrator. */
export type ClaimResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const refused = (reason: string): ClaimResult => ({ ok: false, reason });

const take = async (database: Database, projectId: string, timeoutMs: number): Promise<ClaimResult> => {
  // Before anything is written: another release may depend on what is there. Older data is migrated later.
  const state = await readSchemaState(database, timeoutMs);
  const reason = state && whyUnmigratable(state, schemaVersions);
  if (reason !== undefined) return refused(reason);
  // A user that may create constraints may write.
  await prepareGraphSchema(database, timeoutMs);
  const owner = await claim(database, projectId, timeoutMs);
  return owner === projectId ? { ok: true } : refused("the database belongs to another project");
};

/**
 * Claims a database for a project once it is reachable, recent, writable, of a version that this build understands or
 * migrates, and has the constraints of the graph. The claim of another project stays.
 *
 * @param open opens the database, without a check of its version; when it throws, the database counts as unreachable.
 * @param timeoutMs limit of the whole; never throws.
 */
export const takeDatabase = async (
  open: () => Database,
  projectId: string,
  timeoutMs: number,
): Promise<ClaimResult> => {
  const over = new AbortController();
  const late = wait(timeoutMs, refused(`no answer within ${timeoutMs / 1000} seconds`), {
    signal: over.signal,
  });
  late.catch(() => undefined);
  const taken = (async () => take(open(), projectId, timeoutMs))().catch((error: unknown) =>
    refused(whyUnusable(error)),
  );
  return Promise.race([taken, late]).finally(() => over.abort());
};

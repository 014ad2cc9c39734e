import { setTimeout as wait } from "node:timers/promises";
import { claim } from "./claim.ts";
import { whyUnusable } from "./errors.ts";
import { prepareGraphSchema } from "./schema.ts";
import type { Database } from "./types.ts";

/** Whether a project may use a database; `reason` is one line for its administrator. */
export type Taken = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const refused = (reason: string): Taken => ({ ok: false, reason });

const take = async (database: Database, projectId: string, timeoutMs: number): Promise<Taken> => {
  // A user that may create constraints may write.
  await prepareGraphSchema(database, timeoutMs);
  const owner = await claim(database, projectId, timeoutMs);
  return owner === projectId ? { ok: true } : refused("the database belongs to another project");
};

/**
 * Makes a database the own one of a project: reachable, recent,
 * writable, with the constraints of the graph, and claimed. What another project claimed stays as it is.
 *
 * @param open gives the database; what it throws counts as not reachable.
 * @param timeoutMs limit of the whole; never throws.
 */
export const takeDatabase = async (
  open: () => Database,
  projectId: string,
  timeoutMs: number,
): Promise<Taken> => {
  const over = new AbortController();
  const late = wait(timeoutMs, refused(`no answer within ${timeoutMs / 1000} seconds`), {
    signal: over.signal,
  });
  // One that is aborted is not waited for.
  late.catch(() => undefined);
  const taken = (async () => take(open(), projectId, timeoutMs))().catch((error: unknown) =>
    refused(whyUnusable(error)),
  );
  return Promise.race([taken, late]).finally(() => over.abort());
};

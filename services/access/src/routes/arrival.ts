import type { Introspection, Token } from "@ikg/auth";
import type { Catalog, ProjectSnapshot } from "@ikg/catalog";
import { type AgentCaller, Problem } from "@ikg/contracts";
import type { StatementOptions } from "@ikg/graph";

/** What every question needs besides its body. */
export interface Arrival {
  /** The caller's project as it is now; one state for the whole question. */
  readonly view: ProjectSnapshot;
  /** The introspected bearer token; absent when none was sent. */
  readonly token: Token | undefined;
  readonly options: StatementOptions;
}

interface Arriving {
  readonly caller: AgentCaller;
  readonly bearer: string | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

export type Arrivals = (input: Arriving) => Promise<Arrival>;

/**
 * Finds the project of the caller's key and introspects the bearer, if one came: on every call, needed or not
 * (README decision 26).
 *
 * @throws Problem "not_found" (404) without an active graph, "bearer_invalid" (401).
 */
export const openArrivals =
  (catalog: Catalog, introspection: Introspection, timeoutMs: number): Arrivals =>
  async ({ caller, bearer, requestId, signal }) => {
    const view = await catalog.snapshot(caller.project);
    if (view?.project.ikgStatus !== "ACTIVE") {
      throw new Problem("not_found", { errors: ["project: no active graph"] });
    }
    const token = bearer === undefined ? undefined : await introspection.introspect(bearer, view, Date.now());
    return { view, token, options: { timeoutMs, signal, requestId } };
  };

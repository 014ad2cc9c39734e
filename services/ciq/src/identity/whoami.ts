import { bearerRequired, type Introspection, type OnIntrospected } from "@ikg/auth";
import { activeSnapshot, type Catalog } from "@ikg/catalog";
import type { AgentCaller, Identity } from "@ikg/contracts";

/** Finds the node of an end user's token in the caller's project. */
export type Whoami = (
  caller: AgentCaller,
  bearer: string | undefined,
  onIntrospected?: OnIntrospected,
) => Promise<Identity>;

/**
 * Resolves a bearer to a subject as a query does. The node itself need not exist.
 *
 * @throws Problem "bearer_required" and "bearer_invalid" (401), "not_found" (404) for a project without an active
 *   graph, "unavailable" (503) when the issuer is unavailable.
 */
export const openWhoami =
  (catalog: Catalog, introspection: Introspection): Whoami =>
  async (caller, bearer, onIntrospected) => {
    if (bearer === undefined) throw bearerRequired("ciq");
    const view = await activeSnapshot(catalog, caller.project);
    const token = await introspection.introspect(bearer, view, Date.now(), onIntrospected);
    return { type: token.nodeType, id: token.subject };
  };

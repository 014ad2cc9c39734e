import type { CatalogProject } from "@ikg/catalog";
import type { Part } from "@ikg/graph";
import { compositeRequired, type Inputs, isRouted, resolveRoute, type Targets } from "@ikg/policy-core";

/** Where a policy is asked that says so itself by USE. */
export interface Place {
  readonly part: Part;
  /** Names of the graphs of its location parameters. */
  readonly graphs: Readonly<Record<string, string>>;
}

/**
 * Resolves where a policy is asked. Constituents whose connections are known are asked one by one, without USE; where
 * none is, the server itself has a composite database, and the text goes there whole.
 *
 * @returns no place for a policy without USE; the texts of a 422 when it cannot be resolved.
 */
export const placeOf = (
  targets: Targets,
  inputParams: Inputs["inputParams"],
  composite: CatalogProject["composite"],
): { readonly place?: Place; readonly faults: readonly string[] } => {
  const routed = resolveRoute(targets, inputParams, composite);
  if (!routed.ok) return { faults: routed.faults };
  if (!isRouted(targets)) return { faults: [] };
  const { constituent, graphs } = routed.route;
  if (composite?.connections.size === 0) return { place: { part: "composite", graphs }, faults: [] };
  // A text over several databases needs a server that has them all.
  if (constituent === undefined) return { faults: [compositeRequired] };
  return { place: { part: { constituent }, graphs }, faults: [] };
};

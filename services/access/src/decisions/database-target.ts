import type { CatalogProject } from "@ikg/catalog";
import type { DatabasePart } from "@ikg/graph";
import { compositeRequired, type Inputs, isRouted, resolveRoute, type Targets } from "@ikg/policy-core";

/** Where a policy with a `USE` clause is evaluated. */
export interface DatabaseTarget {
  readonly databasePart: DatabasePart;
  /** Names of the graphs of its location parameters. */
  readonly graphs: Readonly<Record<string, string>>;
}

/**
 * Resolves where a policy is evaluated. A constituent whose connection is known gets the text without `USE`; where none is
 * known, the server itself has a composite database, and gets the whole text.
 *
 * @returns no target for a policy without USE; the texts of a 422 when it cannot be resolved.
 */
export const databaseTargetOf = (
  targets: Targets,
  inputParams: Inputs["inputParams"],
  composite: CatalogProject["composite"],
): { readonly databaseTarget?: DatabaseTarget; readonly faults: readonly string[] } => {
  const routed = resolveRoute(targets, inputParams, composite);
  if (!routed.ok) return { faults: routed.faults };
  if (!isRouted(targets)) return { faults: [] };
  const { constituent, graphs } = routed.route;
  if (composite?.connections.size === 0)
    return { databaseTarget: { databasePart: "composite", graphs }, faults: [] };
  // A text over several databases needs a server that has them all.
  if (constituent === undefined) return { faults: [compositeRequired] };
  return { databaseTarget: { databasePart: { constituent }, graphs }, faults: [] };
};

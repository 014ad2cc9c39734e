import { maxErrorDetails, type NodeRef, Problem } from "@ikg/contracts";
import { constituentOf } from "../projects/constituent.ts";
import type { Project } from "../projects/projects.ts";

/** Names that begin so belong to the platform: read by policies, never written by callers. */
const isReserved = (name: string): boolean => name.startsWith("_");

/** What a project says of locations: undefined where it has none. */
type Locations = Pick<Project, "composite">;

/**
 * What is well formed in a node reference and still refused with 422.
 *
 * @param path JSON path of the reference.
 */
export const nodeRefRefusals = (ref: NodeRef, path: string, { composite }: Locations): string[] => [
  ...(isReserved(ref.type) ? [`${path}.type: types that begin with an underscore are reserved`] : []),
  ...(ref.location === undefined || composite?.constituents.has(ref.location) === true
    ? []
    : [`${path}.location: unknown location`]),
];

/** Reserved extra labels of a node. */
export const labelRefusals = (labels: readonly string[] | undefined, path: string): string[] =>
  (labels ?? []).flatMap((label, at) =>
    isReserved(label) ? [`${path}.labels[${at}]: labels that begin with an underscore are reserved`] : [],
  );

/** Reserved relationship types. */
export const relationshipTypeRefusals = (type: string, path: string): string[] =>
  isReserved(type) ? [`${path}.type: types that begin with an underscore are reserved`] : [];

/** What is refused of relationships that items name. */
export const relationshipsRefusals = (
  {
    relationships,
    use_global_db: useGlobalDb,
  }: {
    readonly relationships: readonly {
      readonly source: NodeRef;
      readonly target: NodeRef;
      readonly type: string;
    }[];
    readonly use_global_db?: boolean | undefined;
  },
  project: Project,
): string[] => [
  ...(useGlobalDb === true && project.composite === undefined
    ? ["use_global_db: the project has no composite database"]
    : []),
  ...relationships.flatMap(({ source, target, type }, at) => [
    ...nodeRefRefusals(source, `relationships[${at}].source`, project),
    ...nodeRefRefusals(target, `relationships[${at}].target`, project),
    ...relationshipTypeRefusals(type, `relationships[${at}]`),
    // No relationship reaches from one database into another; their proxies stand in one.
    ...(useGlobalDb === true ||
    constituentOf(project, source.location) === constituentOf(project, target.location)
      ? []
      : [`relationships[${at}]: source and target are in different locations; use_global_db is needed`]),
  ]),
];

/** What is refused of nodes that items name. */
export const nodesRefusals = (nodes: readonly NodeRef[], project: Locations): string[] =>
  nodes.flatMap((node, at) => nodeRefRefusals(node, `nodes[${at}]`, project));

/**
 * @param hint added after the refusals: what a caller may do about them.
 * @throws Problem `unprocessable` (422) with every refusal, when there is one.
 */
export const refuse = (refusals: readonly string[], hint?: string): void => {
  if (refusals.length === 0) return;
  const errors = hint === undefined ? refusals : [...refusals.slice(0, maxErrorDetails - 1), hint];
  throw new Problem("unprocessable", { errors });
};

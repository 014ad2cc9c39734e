import { maxErrorDetails, type NodeRef, Problem } from "@ikg/contracts";
import { constituentOf } from "../projects/constituent.ts";
import type { Project } from "../projects/projects.ts";

/** True for a name of the platform: policies read such names, callers never write them. */
const isReserved = (name: string): boolean => name.startsWith("_");

/** The part of a project that has its locations. */
type Locations = Pick<Project, "composite">;

/**
 * Why a well-formed node reference is refused: a reserved type, an unknown location.
 *
 * @param path JSON path of the reference.
 */
export const nodeRefRefusals = (ref: NodeRef, path: string, { composite }: Locations): string[] => [
  ...(isReserved(ref.type) ? [`${path}.type: types that begin with an underscore are reserved`] : []),
  ...(ref.location === undefined || composite?.constituents.has(ref.location) === true
    ? []
    : [`${path}.location: unknown location`]),
];

/** Why extra labels of a node are refused: each that is reserved. */
export const labelRefusals = (labels: readonly string[] | undefined, path: string): string[] =>
  (labels ?? []).flatMap((label, at) =>
    isReserved(label) ? [`${path}.labels[${at}]: labels that begin with an underscore are reserved`] : [],
  );

/** Why a relationship type is refused: it is reserved. */
export const relationshipTypeRefusals = (type: string, path: string): string[] =>
  isReserved(type) ? [`${path}.type: types that begin with an underscore are reserved`] : [];

/** Why the relationships of a batch are refused, with the JSON path of each. */
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
    // A relationship is within one database; in the default database it is between proxies.
    ...(useGlobalDb === true ||
    constituentOf(project, source.location) === constituentOf(project, target.location)
      ? []
      : [`relationships[${at}]: source and target are in different locations; use_global_db is needed`]),
  ]),
];

/** Why the nodes of a batch are refused, with the JSON path of each. */
export const nodesRefusals = (nodes: readonly NodeRef[], project: Locations): string[] =>
  nodes.flatMap((node, at) => nodeRefRefusals(node, `nodes[${at}]`, project));

/**
 * @param hint what a caller may do about the refusals; it comes after them.
 * @throws Problem `unprocessable` (422) with every refusal, when there is one.
 */
export const refuse = (refusals: readonly string[], hint?: string): void => {
  if (refusals.length === 0) return;
  const errors = hint === undefined ? refusals : [...refusals.slice(0, maxErrorDetails - 1), hint];
  throw new Problem("unprocessable", { errors });
};

import { globalLocation, type NodeRef } from "@ikg/contracts";
import type { DatabasePart } from "@ikg/graph";
import type { Project } from "./projects.ts";

/** The constituent that a known location means; undefined for the default database. */
export const constituentOf = ({ composite }: Project, location: string | undefined): string | undefined => {
  if (location === undefined || composite === undefined) return undefined;
  const { constituents } = composite;
  const constituent = constituents.get(location);
  return constituent === constituents.get(globalLocation) ? undefined : constituent;
};

/** The constituent of a relationship: that of its ends, unless it is between their proxies. */
export const relationshipConstituent =
  (project: Project, useGlobalDb: boolean | undefined) =>
  ({ source }: { readonly source: NodeRef }): string | undefined =>
    useGlobalDb === true ? undefined : constituentOf(project, source.location);

/** Every constituent of a project, each once, the default database among them. */
export const constituentsOf = (project: Project): ReadonlySet<string | undefined> =>
  new Set([
    undefined,
    ...[...(project.composite?.constituents.keys() ?? [])].map((each) => constituentOf(project, each)),
  ]);

/** A constituent as the graph names it. */
export const partOf = (constituent: string | undefined): DatabasePart | undefined =>
  constituent === undefined ? undefined : { constituent };

import { stagedPrefix } from "./imports.ts";

/**
 * Label of the one node that lists the distinct names of a project's graph, in the default database of the project. It
 * carries no label of graph data, so no pattern of a policy can find it.
 */
export const projectNamesLabel = "_ProjectNames";

/** The key of that node. It goes with everything else that is staged for the project. */
export const projectNamesKey = (projectId: string): string => `${stagedPrefix(projectId)}names`;

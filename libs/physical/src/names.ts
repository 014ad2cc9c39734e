import { projectPrefix } from "./key-ranges.ts";

/**
 * Label of the one node that lists the distinct names of a project's graph, in the default database of the project, and of the one
 * that lists those of all projects of an organization in the shared database. It carries no label of graph data, so no pattern of a
 * policy can find it.
 */
export const projectNamesLabel = "_ProjectNames";

/** The key of that node. It goes with everything else that is kept about the project. */
export const projectNamesKey = (projectId: string): string => `${projectPrefix(projectId)}names`;

/** The key of the list of an organization. It stays, as the names do. */
export const organizationNamesKey = (organizationId: string): string => `${organizationId}/names`;

/**
 * Labels that a project in the shared database has before a node is captured: that of the project, and those of the nodes that the
 * platform writes.
 */
export const platformLabels = 4;

import type { ProjectKey } from "./project-key.ts";

/** On every node of every project; carries the constraints. */
export const nodeLabel = "_Node";

const suffix = (pk: ProjectKey): string => (pk === "" ? "" : `__${pk}`);

/** On every node of one project. */
export const projectLabel = (pk: ProjectKey): string => `_P${suffix(pk)}`;

/** The label of a node type, or of an extra label, in one project: `Car` becomes `Car__<pk>`. */
export const typeLabel = (type: string, pk: ProjectKey): string => `${type}${suffix(pk)}`;

/** The caller's name of a stored label, or undefined for the labels that are ours. */
export const labelName = (label: string, pk: ProjectKey): string | undefined => {
  if (label === nodeLabel || label === projectLabel(pk)) return undefined;
  const end = suffix(pk);
  return label.endsWith(end) ? label.slice(0, label.length - end.length) : undefined;
};

/** Types of the nodes that the platform itself writes. */
export const systemTypes = {
  application: "_Application",
  agent: "_AppAgent",
  trustScore: "_TrustScore",
} as const;

/** Types of the relationships that the platform itself writes. */
export const systemRelationships = { trustScore: "_HAS", belongsTo: "_BELONGS_TO" } as const;

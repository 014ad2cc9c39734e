/**
 * Key of a project in the graph: 8 characters `[a-z0-9]`, or empty for a project with a database of its own. It marks labels
 * and starts every `_key`.
 */
export type ProjectKey = string & { readonly __brand: "project-key" };

const shape = /^[a-z0-9]{8}$/;

/** Takes a stored project key; throws on anything that may not stand in a label. */
export const projectKey = (text: string): ProjectKey => {
  if (text !== "" && !shape.test(text)) throw new Error("not a project key");
  return text as ProjectKey;
};

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A new project key from 8 random bytes. */
export const newProjectKey = (random: Uint8Array): ProjectKey => {
  if (random.length < 8) throw new Error("a project key takes 8 random bytes");
  return projectKey(Array.from(random.subarray(0, 8), (byte) => alphabet[byte % alphabet.length]).join(""));
};

/** On every node of every project; carries the constraints. */
export const nodeLabel = "_Node";

const suffix = (pk: ProjectKey): string => (pk === "" ? "" : `__${pk}`);

/** On every node of one project. */
export const projectLabel = (pk: ProjectKey): string => `_P${suffix(pk)}`;

/** The label of a node type, or of an extra label, in one project: `Car` becomes `Car__<pk>`. */
export const typeLabel = (type: string, pk: ProjectKey): string => `${type}${suffix(pk)}`;

/** The caller's name of a stored label, or undefined for labels of the platform. */
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

/** Labels of a node that a project sees besides that of its type, in the order of their names. */
export const extraLabels = (labels: readonly string[], type: string, pk: ProjectKey): readonly string[] =>
  labels
    .flatMap((label) => labelName(label, pk) ?? [])
    .filter((label) => label !== type && !label.startsWith("_"))
    .toSorted();

/** Types of the relationships that the platform itself writes. */
export const systemRelationships = { trustScore: "_HAS", belongsTo: "_BELONGS_TO" } as const;

/** The unique key of a node: `<pk>/<type>/<external_id>`. A type never holds `/`, so nothing needs an escape. */
export const nodeKey = (pk: ProjectKey, type: string, externalId: string): string =>
  `${keyPrefix(pk, type)}${externalId}`;

/** What the keys of all nodes of one type begin with. */
export const keyPrefix = (pk: ProjectKey, type: string): string => `${pk}/${type}/`;

/** The key of the `_TrustScore` node of a scored node. */
export const trustScoreKey = (pk: ProjectKey, scoredNodeId: string): string =>
  nodeKey(pk, "_TrustScore", scoredNodeId);

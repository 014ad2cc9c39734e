import { type NodeRef, Problem } from "@ikg/contracts";

/** Names that begin so belong to the platform: read by policies, never written by callers. */
const reserved = (name: string): boolean => name.startsWith("_");

/**
 * What is well formed in a node reference and still refused with 422 (api specification 4.1, 4.9).
 *
 * @param path JSON path of the reference.
 */
export const nodeRefRefusals = (ref: NodeRef, path: string): string[] => [
  ...(reserved(ref.type) ? [`${path}.type: types that begin with an underscore are reserved`] : []),
  ...(ref.location === undefined ? [] : [`${path}.location: unknown location`]),
];

/** Reserved extra labels of a node. */
export const labelRefusals = (labels: readonly string[] | undefined, path: string): string[] =>
  (labels ?? []).flatMap((label, at) =>
    reserved(label) ? [`${path}.labels[${at}]: labels that begin with an underscore are reserved`] : [],
  );

/** Reserved relationship types. */
export const relationshipTypeRefusals = (type: string, path: string): string[] =>
  reserved(type) ? [`${path}.type: types that begin with an underscore are reserved`] : [];

/** @throws Problem `unprocessable` (422) with every refusal, when there is one. */
export const refuse = (refusals: readonly string[]): void => {
  if (refusals.length > 0) throw new Problem("unprocessable", { errors: refusals });
};

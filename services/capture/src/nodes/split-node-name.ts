import type { NodeRef } from "@ikg/contracts";

/** The parts of `<Type>:<external_id>` in a path, not validated; undefined without a colon. */
export const splitNodeName = (name: string): Pick<NodeRef, "type" | "external_id"> | undefined => {
  const colon = name.indexOf(":");
  return colon < 0 ? undefined : { type: name.slice(0, colon), external_id: name.slice(colon + 1) };
};

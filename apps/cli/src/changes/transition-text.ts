import type { RecordTransition } from "@ikg/client";

/** The change of one record as text: `may-fly 1→2`, `may-wash created`, `may-wash deleted`. */
export const transitionText = ({ name, op, from_version, to_version }: RecordTransition): string => {
  if (op === "delete") return `${name} deleted`;
  return from_version === 0 ? `${name} created` : `${name} ${from_version}→${to_version}`;
};

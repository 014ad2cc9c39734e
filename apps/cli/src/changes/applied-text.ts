import type { AppliedChanges } from "@ikg/client";
import { transitionText } from "./transition-text.ts";

/** What a change set did. */
export const appliedText = ({ id, changes, unchanged }: AppliedChanges): string => {
  const what = changes.map(transitionText).join(", ");
  const same = unchanged.length === 0 ? "" : ` ${unchanged.length} unchanged.`;
  if (changes.length === 0) return `Nothing to change.${same}\n`;
  return `${what}.${same}${id === undefined ? "" : `\nChange ${id} is live within two seconds.`}\n`;
};

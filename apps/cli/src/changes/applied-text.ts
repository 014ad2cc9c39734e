import type { AppliedChanges } from "@ikg/client";
import { transitionText } from "./transition-text.ts";

/** The effect of a change set as text. */
export const appliedText = ({ id, changes, unchanged }: AppliedChanges): string => {
  const what = changes.map(transitionText).join(", ");
  const same = unchanged.length === 0 ? "" : ` ${unchanged.length} unchanged.`;
  if (changes.length === 0) return `Nothing to change.${same}\n`;
  return `${what}.${same}${id === undefined ? "" : `\nChange ${id} takes effect within two seconds.`}\n`;
};

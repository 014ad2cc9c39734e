/** Characters that change how their neighbours are shown, or are not seen at all, with what stands for them. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const marked = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  // A joiner holds together what is one emoji or one letter.
  if (code === 0x200d || code === 0x200c) return character;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `\u27E8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27E9`;
};

/**
 * A text as one line that a person can trust: controls, direction marks and line ends are visible, and at most `limit` characters
 * are shown. An empty text is shown as such.
 */
export const displayText = (text: string, limit: number): string => {
  if (text === "") return "(empty)";
  // By code points: a text from a graph may be long, and graphemes of any length.
  const characters = Array.from(text.slice(0, limit * 2));
  const cut = characters.length > limit || text.length > limit * 2;
  const shown = characters.slice(0, limit).join("").replaceAll(invisible, marked);
  return cut ? `${shown}…` : shown;
};

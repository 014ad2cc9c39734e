/** Texts in the cells of a table. */
const maxShown = 120;

/** The whole text, as of an error: it is what a reader looks for. */
export const codeSpan = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

/** A piece of a policy in a cell: halves of characters as escapes, long ones cut. */
export const code = (text: string): string => {
  const visible = text.replaceAll(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
  return codeSpan(visible.length > maxShown ? `${visible.slice(0, maxShown)} …` : visible);
};

/** Texts in the cells of a table. */
const maxShown = 120;

/** A piece of a policy in a cell: halves of characters as escapes, long ones cut. */
export const code = (text: string): string => {
  const visible = text.replaceAll(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
  const short = visible.length > maxShown ? `${visible.slice(0, maxShown)} …` : visible;
  return short.includes("`") ? `\`\` ${short} \`\`` : `\`${short}\``;
};

/** The whole text of a refusal: it is what a reader looks for. */
export const told = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

/** Levels of arrays and objects that a JSON text of a resolver may have, its payload as well as an answer. */
export const maxJsonDepth = 64;

/** True when arrays and objects of a JSON text lie deeper in each other than that; the text need not be valid. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quoted) {
      if (character === "\\") i++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" || character === "[") {
      if (++depth > maxJsonDepth) return true;
    } else if (character === "}" || character === "]") depth--;
  }
  return false;
};

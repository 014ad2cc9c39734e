/** Parses JSON. @returns undefined for a text that is not JSON */
export const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

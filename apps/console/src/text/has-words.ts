/** Whether every word is somewhere in a text, whatever the case. */
export const hasWords = (text: string, words: string): boolean => {
  const searched = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
};

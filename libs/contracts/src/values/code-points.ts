/** Code points of a text: the unit of every length limit. */
export const codePoints = (text: string): number => {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xdc00 || unit > 0xdfff || i === 0) count++;
    else {
      const before = text.charCodeAt(i - 1);
      if (before < 0xd800 || before > 0xdbff) count++;
    }
  }
  return count;
};

/** Order of two texts by code point, as the database orders stored texts. */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above every other unit.
    if (x >= 0xd800 && x <= 0xdfff) x += 0x10000;
    if (y >= 0xd800 && y <= 0xdfff) y += 0x10000;
    return x - y;
  }
  return a.length - b.length;
};

const highest = "\uFFFF";
/** After the highest unit: something below every surrogate. */
const below = " ";

/** The pattern of a text with a character from U+E000 on, for either matcher. */
const highText = /[\u{E000}-\u{10FFFF}]/u;

/**
 * The database orders texts of a request by UTF-16 unit, which puts U+E000 to U+FFFF after everything beyond. Texts
 * without either compare the same both ways. For others: a text whose order by unit is the order of `text` by code
 * point, made by putting the highest unit before every character that has two; null when `text` needs none.
 */
export const orderKey = (text: string): string | null => {
  if (!highText.test(text)) return null;
  let key = "";
  for (const character of text) {
    key += character.length === 2 ? highest + character : character === highest ? highest + below : character;
  }
  return key;
};

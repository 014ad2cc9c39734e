/** Classes of UTF-16 units, for the lexer. Outside strings and back-quotes the language is ASCII only. */

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

export const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);

export const isOctalDigit = (code: number): boolean => code >= 48 && code <= 55;

export const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;

export const isNamePart = (code: number): boolean => isNameStart(code) || isDigit(code);

/** Blank, tab, line feed, vertical tab, form feed, carriage return. */
export const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

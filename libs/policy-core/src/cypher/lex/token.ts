interface TextSpan {
  /** Offset of the first character. */
  readonly at: number;
  /** Offset after the last character. */
  readonly end: number;
}

export interface NameToken extends TextSpan {
  readonly kind: "name";
  readonly name: string;
  /** Upper case for the comparison with keywords; empty for a name in back-quotes, which is never a keyword. */
  readonly word: string;
}

interface StringToken extends TextSpan {
  readonly kind: "string";
  readonly value: string;
}

export interface IntegerToken extends TextSpan {
  readonly kind: "integer";
  readonly value: bigint;
}

export interface FloatToken extends TextSpan {
  readonly kind: "float";
  readonly value: number;
}

/** Punctuation and operators that are not words. */
export interface MarkToken extends TextSpan {
  readonly kind: "mark";
  readonly mark: string;
  /** Of a bracket: index of the token that belongs to it. */
  readonly partner: number;
}

interface EndToken extends TextSpan {
  readonly kind: "end";
}

export type Token = NameToken | StringToken | IntegerToken | FloatToken | MarkToken | EndToken;

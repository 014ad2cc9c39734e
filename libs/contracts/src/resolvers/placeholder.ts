/** What a caller's value is put in for: `{$name}` or `{$name || default}` (runtime specification 3.3). */
export interface Placeholder {
  readonly name: string;
  /** Stands in for a value that is missing. */
  readonly default: string | undefined;
}

/** A text with placeholders, in order. */
export type Piece = string | Placeholder;

/** What parsing gives: the value, or the reason why there is none. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string };

export const parsed = <T>(value: T): Parsed<T> => ({ ok: true, value });
export const refused = (fault: string): { readonly ok: false; readonly fault: string } => ({
  ok: false,
  fault,
});

const opening = "{$";
const name = "_?[A-Za-z][A-Za-z0-9_]{0,63}";
const placeholder = new RegExp(String.raw`\{\$(${name})(?: *\|\|([^{}]*))?\}`, "y");

const bareName = new RegExp(String.raw`^\$(${name})$`);

/** The name in a text that is exactly `$name`. */
export const bareReference = (text: string): string | undefined => bareName.exec(text)?.[1];

/** Reads a text; everything that begins like a placeholder has to be one. */
export const parsePieces = (text: string): Parsed<readonly Piece[]> => {
  const pieces: Piece[] = [];
  let end = 0;
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, end)) {
    placeholder.lastIndex = at;
    const found = placeholder.exec(text);
    if (found === null) return refused("a placeholder is written {$name} or {$name || default}");
    if (at > end) pieces.push(text.slice(end, at));
    pieces.push({ name: found[1] ?? "", default: found[2]?.trim() });
    end = at + found[0].length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return parsed(pieces);
};

/** What a value is put in for: `{$name}` or `{$name || default}`, of a call or of the node that refers to the resolver. */
export interface Placeholder {
  /** A parameter, or with its dots what a value of the node is called: `node.property.x`, `node.external_id`, `node.type`. */
  readonly name: string;
  /** Stands in for a value that is missing. */
  readonly default: string | undefined;
}

/** A text with placeholders, in order. */
export type Piece = string | Placeholder;

/** What parsing gives: the value, or the reason why there is none. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: string };

export const parseSuccess = <T>(value: T): Parsed<T> => ({ ok: true, value });
export const parseFailure = (fault: string): { readonly ok: false; readonly fault: string } => ({
  ok: false,
  fault,
});

const opening = "{$";
const propertyPrefix = "node.property.";
/** Properties have names of up to 128 characters; parameters have no dot in theirs. */
const name = String.raw`node\.property\.[A-Za-z_][A-Za-z0-9_]{0,127}|node\.external_id|node\.type|_?[A-Za-z][A-Za-z0-9_]{0,63}`;
const placeholder = new RegExp(String.raw`\{\$(${name})(?: *\|\|([^{}]*))?\}`, "y");

const bareName = new RegExp(String.raw`^\$(${name})$`);

const malformed = "a placeholder is written {$name} or {$name || default}";
const unknownOfNode =
  "a value of the node is written {$node.property.name}, {$node.external_id} or {$node.type}, each also with a default: {$node.property.name || default}";

/** The property of the node that a placeholder names; undefined for every other name. */
export const nodePropertyOf = (name: string): string | undefined =>
  name.startsWith(propertyPrefix) ? name.slice(propertyPrefix.length) : undefined;

/** The name in a text that is exactly `$name`; undefined for a text that is none. */
export const bareReference = (text: string): Parsed<string | undefined> =>
  // A path of some other kind that begins with a dollar sign is a text like any other.
  /^\$node(?:\.\w*)+$/.test(text) && !bareName.test(text)
    ? parseFailure(unknownOfNode)
    : parseSuccess(bareName.exec(text)?.[1]);

/** Reads a text; everything that begins like a placeholder has to be one. */
export const parsePieces = (text: string): Parsed<readonly Piece[]> => {
  const pieces: Piece[] = [];
  let end = 0;
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, end)) {
    placeholder.lastIndex = at;
    const found = placeholder.exec(text);
    if (found === null) return parseFailure(text.startsWith("{$node.", at) ? unknownOfNode : malformed);
    if (at > end) pieces.push(text.slice(end, at));
    pieces.push({ name: found[1] ?? "", default: found[2]?.trim() });
    end = at + found[0].length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return parseSuccess(pieces);
};

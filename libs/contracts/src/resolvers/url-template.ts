import { type Parsed, parseFailure, parsePieces, parseSuccess, type Piece } from "./placeholder.ts";

/** An address in which values of a call may stand, in its path and its query. */
export interface UrlTemplate {
  /** Scheme, host and port: always the author's own. */
  readonly origin: string;
  /** What stands behind each `/` of the path. */
  readonly segments: readonly (readonly Piece[])[];
  /** With its `?`; empty without a query. */
  readonly query: readonly Piece[];
}

const originPattern = /^(https?):\/\/([^/?#\\]*)/i;

const originFault = (origin: string, authority: string): string | undefined => {
  if (authority.includes("@")) return "must not contain a user name or password";
  return authority === "" || !URL.canParse(origin) ? "http or https URL expected" : undefined;
};

/** Text of the author that would not arrive as it is written, or not at all. */
const literalFault = (pieces: readonly Piece[]): string | undefined => {
  const texts = pieces.filter((piece) => typeof piece === "string");
  if (texts.some((text) => text.includes("#"))) return "no fragment";
  // The URL class drops tabs and line ends and takes a backslash for a slash.
  return texts.some((text) => /[\s\\\p{Cc}]/u.test(text))
    ? "no spaces, control characters or backslashes"
    : undefined;
};

/** Splits the pieces behind the origin where the path says `/`; the first literal `?` begins the query. */
const splitPath = (pieces: readonly Piece[]): Pick<UrlTemplate, "segments" | "query"> => {
  const segments: Piece[][] = [];
  const query: Piece[] = [];
  for (const piece of pieces) {
    if (query.length > 0) query.push(piece);
    else if (typeof piece !== "string") segments.at(-1)?.push(piece);
    else {
      const mark = piece.indexOf("?");
      const [first = "", ...rest] = (mark < 0 ? piece : piece.slice(0, mark)).split("/");
      if (first !== "") segments.at(-1)?.push(first);
      for (const text of rest) segments.push(text === "" ? [] : [text]);
      if (mark >= 0) query.push(piece.slice(mark));
    }
  }
  return { segments, query };
};

/** Reads an address with placeholders. */
export const parseUrlTemplate = (text: string): Parsed<UrlTemplate> => {
  const pieces = parsePieces(text);
  if (!pieces.ok) return pieces;
  const [first, ...rest] = pieces.value;
  const found = typeof first === "string" ? originPattern.exec(first) : null;
  if (typeof first !== "string" || found === null) return parseFailure("http or https URL expected");
  const [origin, , authority = ""] = found;
  const after = first.slice(origin.length);
  if (after === "" && rest.length > 0) return parseFailure("placeholders may stand in path and query only");
  const fault = originFault(origin, authority) ?? literalFault(pieces.value);
  if (fault !== undefined) return parseFailure(fault);
  return parseSuccess({ origin, ...splitPath(after === "" ? [] : [after, ...rest]) });
};

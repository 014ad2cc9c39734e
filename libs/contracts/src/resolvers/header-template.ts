import { type Parsed, parseFailure, parsePieces, type Piece } from "./placeholder.ts";

/** Headers that the exchange itself decides about. */
const forbidden: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "upgrade",
  "te",
  "trailer",
  "keep-alive",
  "accept-encoding",
  "expect",
]);

/** Accepted and not sent: the content types of the resolver decide. */
const overridden: ReadonlySet<string> = new Set(["content-type", "accept"]);

/** Why no resolver may send a header of this name. */
export const headerNameFault = (name: string): string | undefined => {
  if (!/^[A-Za-z0-9-]{1,256}$/.test(name)) return "name of letters, digits and hyphens";
  const lower = name.toLowerCase();
  return forbidden.has(lower) || lower.startsWith("proxy-")
    ? "not a header that a resolver may set"
    : undefined;
};

export const isOverriddenHeader = (name: string): boolean => overridden.has(name.toLowerCase());

/** True for a text that can be the value of a header: visible ASCII and spaces, so that nothing ends its line. */
export const isHeaderText = (text: string): boolean => /^[ -~]*$/.test(text);

/** Reads the value of a header with placeholders. */
export const parseHeaderTemplate = (text: string): Parsed<readonly Piece[]> => {
  const pieces = parsePieces(text);
  if (!pieces.ok) return pieces;
  const texts = pieces.value.map((piece) => (typeof piece === "string" ? piece : (piece.default ?? "")));
  return texts.every(isHeaderText) ? pieces : parseFailure("visible ASCII characters and spaces only");
};

import { isHeaderText, type PayloadTemplate, type Piece, type Placeholder } from "@ikg/contracts";
import { ResolverFailure } from "./failure.ts";
import type { ResolverTemplate } from "./template.ts";
import type { ValueOf } from "./values.ts";

/** A complete call. */
export interface RenderedCall {
  readonly method: ResolverTemplate["method"];
  readonly url: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string | undefined;
}

/** Characters of a header value and of an address; no server takes more. */
const maxHeader = 1024;
const maxUrl = 16_384;
/** Characters of a payload: a short template may name a long value often, and an execution holds 100 of them. */
const maxPayload = 262_144;

const missing = (): ResolverFailure => new ResolverFailure("missing_param");

/** A value as text. @throws ResolverFailure `missing_param` for a value without a text form. */
const textOf = ({ name, default: otherwise }: Placeholder, valueOf: ValueOf): string => {
  const value = valueOf(name) ?? otherwise;
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") throw missing();
  const text = String(value);
  if (!text.isWellFormed()) throw missing();
  return text;
};

const renderText = (
  pieces: readonly Piece[],
  valueOf: ValueOf,
  encode: (text: string) => string = (text) => text,
): string =>
  pieces.map((piece) => (typeof piece === "string" ? piece : encode(textOf(piece, valueOf)))).join("");

/** A segment that a value fills must not be empty, `.` or `..`; URL parsers read `%2e` as a dot. */
const isStep = (segment: string): boolean => !["", ".", ".."].includes(segment.replaceAll(/%2e/gi, "."));

const renderSegment = (pieces: readonly Piece[], valueOf: ValueOf): string => {
  const segment = renderText(pieces, valueOf, encodeURIComponent);
  if (pieces.some((piece) => typeof piece !== "string") && !isStep(segment)) throw missing();
  return segment;
};

const renderUrl = ({ origin, segments, query }: ResolverTemplate["url"], valueOf: ValueOf): string => {
  const path = segments.map((pieces) => `/${renderSegment(pieces, valueOf)}`).join("");
  const url = `${origin}${path}${renderText(query, valueOf, encodeURIComponent)}`;
  if (url.length > maxUrl) throw new ResolverFailure("limit_exceeded");
  return url;
};

const renderHeader = (pieces: readonly Piece[], valueOf: ValueOf): string => {
  const text = renderText(pieces, valueOf);
  if (text.length > maxHeader || !isHeaderText(text)) throw missing();
  return text;
};

/** Collects the parts of a payload. @throws ResolverFailure `limit_exceeded` before it is too long. */
const openPayload = (): ((text: string) => string) => {
  let length = 0;
  return (text) => {
    length += text.length;
    if (length > maxPayload) throw new ResolverFailure("limit_exceeded");
    return text;
  };
};

const renderPayload = (
  payload: PayloadTemplate,
  valueOf: ValueOf,
  counted: (text: string) => string,
): string => {
  switch (payload.kind) {
    case "json":
      return counted(payload.text);
    case "text":
      return JSON.stringify(renderText(payload.pieces, valueOf, counted));
    case "value": {
      const value = valueOf(payload.placeholder.name) ?? payload.placeholder.default;
      if (value === undefined) throw missing();
      return counted(JSON.stringify(value));
    }
    case "array":
      return `[${payload.items.map((item) => renderPayload(item, valueOf, counted)).join(",")}]`;
    case "object":
      return `{${payload.members
        .map(([name, value]) => `${JSON.stringify(name)}:${renderPayload(value, valueOf, counted)}`)
        .join(",")}}`;
  }
};

/**
 * Replaces the placeholders of a resolver with values.
 *
 * @throws ResolverFailure `missing_param` for a value that is missing or does not fit its place.
 */
export const render = (template: ResolverTemplate, valueOf: ValueOf): RenderedCall => ({
  method: template.method,
  url: renderUrl(template.url, valueOf),
  headers: Object.fromEntries(
    template.headers.map(([name, values]) => [name, values.map((value) => renderHeader(value, valueOf))]),
  ),
  body: template.payload === undefined ? undefined : renderPayload(template.payload, valueOf, openPayload()),
});

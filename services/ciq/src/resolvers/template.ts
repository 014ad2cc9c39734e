import {
  isOverriddenHeader,
  type Parsed,
  parseHeaderTemplate,
  parsePayloadTemplate,
  parseSelector,
  parseUrlTemplate,
  type PayloadTemplate,
  type Piece,
  type Placeholder,
  type Selector,
  type UrlTemplate,
} from "@ikg/contracts";
import type { StoredResolver } from "@ikg/catalog";

/** A resolver, prepared for calls. */
export interface ResolverTemplate {
  readonly id: string;
  readonly version: number;
  readonly method: StoredResolver["method"];
  readonly url: UrlTemplate;
  readonly headers: readonly (readonly [name: string, values: readonly (readonly Piece[])[]])[];
  /** Undefined when no body is sent. */
  readonly payload: PayloadTemplate | undefined;
  readonly selector: Selector;
  /** Every name that its parts mention. */
  readonly names: ReadonlySet<string>;
}

const isPlaceholder = (piece: Piece): piece is Placeholder => typeof piece !== "string";

const inPayload = (payload: PayloadTemplate): readonly Placeholder[] => {
  switch (payload.kind) {
    case "json":
      return [];
    case "text":
      return payload.pieces.filter(isPlaceholder);
    case "value":
      return [payload.placeholder];
    case "array":
      return payload.items.flatMap(inPayload);
    case "object":
      return payload.members.flatMap(([, value]) => inPayload(value));
  }
};

const valueOf = <T>(result: Parsed<T>): T => {
  if (!result.ok) throw new Error(result.fault);
  return result.value;
};

/**
 * Reads a stored resolver by the rules that it was saved under.
 *
 * @throws Error when the rules have changed since and it violates them.
 */
export const resolverTemplate = (stored: StoredResolver): ResolverTemplate => {
  const { id, version, method } = stored;
  const url = valueOf(parseUrlTemplate(stored.url));
  const headers = Object.entries(stored.headers)
    .filter(([name]) => !isOverriddenHeader(name))
    .map(([name, values]) => [name, values.map((value) => valueOf(parseHeaderTemplate(value)))] as const);
  const payload =
    stored.payload === undefined || method === "GET"
      ? undefined
      : valueOf(parsePayloadTemplate(stored.payload));
  const selector = valueOf(parseSelector(stored.selector));
  const pieces = [...url.segments.flat(), ...url.query, ...headers.flatMap(([, values]) => values.flat())];
  const placeholders = [
    ...pieces.filter(isPlaceholder),
    ...(payload === undefined ? [] : inPayload(payload)),
  ];
  const names = new Set(placeholders.map(({ name }) => name));
  return { id, version, method, url, headers, payload, selector, names };
};

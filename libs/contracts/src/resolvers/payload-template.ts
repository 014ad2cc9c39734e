import { isTooDeep, maxJsonDepth } from "./json-depth.ts";
import {
  bareReference,
  type Parsed,
  parseFailure,
  parsePieces,
  parseSuccess,
  type Piece,
  type Placeholder,
} from "./placeholder.ts";

/** A JSON text in which values of a call may stand where its strings do. */
export type PayloadTemplate =
  /** JSON as it is sent. */
  | { readonly kind: "json"; readonly text: string }
  /** A string made of pieces. */
  | { readonly kind: "text"; readonly pieces: readonly Piece[] }
  /** A value with its own type. */
  | { readonly kind: "value"; readonly placeholder: Placeholder }
  | { readonly kind: "array"; readonly items: readonly PayloadTemplate[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, PayloadTemplate])[] };

/** What a reviver of `JSON.parse` receives about a primitive value (ECMAScript 2026; not yet in the compiler's types). */
interface Context {
  readonly source?: string;
}

const stringTemplate = (text: string): Parsed<PayloadTemplate> => {
  const bare = bareReference(text);
  if (!bare.ok) return bare;
  if (bare.value !== undefined) {
    return parseSuccess({ kind: "value", placeholder: { name: bare.value, default: undefined } });
  }
  const pieces = parsePieces(text);
  if (!pieces.ok) return pieces;
  const [only, ...more] = pieces.value;
  if (typeof only === "object" && more.length === 0)
    return parseSuccess({ kind: "value", placeholder: only });
  return parseSuccess(
    pieces.value.every((piece) => typeof piece === "string")
      ? { kind: "json", text: JSON.stringify(text) }
      : { kind: "text", pieces: pieces.value },
  );
};

/** Reads a payload. Names of members hold no placeholders: they are sent as written. */
export const parsePayloadTemplate = (payload: string): Parsed<PayloadTemplate> => {
  if (isTooDeep(payload)) return parseFailure(`JSON of at most ${maxJsonDepth} levels expected`);
  const faults: string[] = [];
  // Called from the inside out: what an array or object holds was made into templates before.
  const revive = (_key: string, value: unknown, { source }: Context = {}): PayloadTemplate => {
    if (typeof value === "string") {
      const template = stringTemplate(value);
      if (template.ok) return template.value;
      faults.push(template.fault);
    } else if (Array.isArray(value)) {
      return { kind: "array", items: value as PayloadTemplate[] };
    } else if (typeof value === "object" && value !== null) {
      return { kind: "object", members: Object.entries(value as Record<string, PayloadTemplate>) };
    }
    // The source keeps a number as its author wrote it.
    return { kind: "json", text: source ?? JSON.stringify(value) };
  };
  try {
    const template = JSON.parse(payload, revive) as PayloadTemplate; // what `revive` gave for the whole
    const [fault] = faults;
    return fault === undefined ? parseSuccess(template) : parseFailure(fault);
  } catch {
    return parseFailure("JSON expected");
  }
};

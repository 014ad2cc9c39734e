import type { CallSizes } from "../values/call-sizes.ts";
import type { Reference } from "../values/reference.ts";
import { constant, one } from "./amount.ts";
import { storedSizes } from "./budget.ts";
import { scalar, type Size, textOf } from "./size.ts";

const short = textOf(constant(storedSizes.systemCharacters));

const storedText = textOf(constant(storedSizes.characters));

/** What a property, its metadata or a property of a relationship may hold. */
export const storedValueSize: Size = {
  characters: constant(storedSizes.characters),
  entries: constant(storedSizes.entries),
  weight: constant(storedSizes.listCharacters + storedSizes.entries),
  entry: storedText,
};

/** An id, a type, a time. */
export const systemField: Size = short;

/** What a value of the request may hold: a text, a list or a map; each entry may be such again where it is not limited. */
const anyOf = ({ characters, entries, nested, weight }: CallSizes): Size => {
  const size = (most: number): { -readonly [K in keyof Size]: Size[K] } => ({
    characters: constant(characters),
    entries: constant(most),
    weight: constant(weight),
  });
  if (nested === 0) return { ...size(entries), entry: textOf(constant(characters)) };
  const inner = size(nested);
  inner.entry = inner;
  return { ...size(entries), entry: inner };
};

const known = new Map<CallSizes, Size>();

/** The bounds of a reference. */
export const referenceSize = (reference: Reference, call: CallSizes): Size => {
  switch (reference.kind) {
    case "parameter":
    case "token":
    case "request": {
      const found = known.get(call) ?? anyOf(call);
      known.set(call, found);
      return found;
    }
    case "application":
    case "platform":
      return short;
    case "absent":
      return { ...scalar, weight: one };
  }
};

import { instantOf } from "../instants/instant.ts";
import { patternOf } from "../regex/pattern.ts";
import { orderKey } from "../texts/order.ts";

/**
 * What is made of a value in memory for a statement, because the database cannot do it or cannot do it safely:
 * the instant of a time, the checked pattern for its matcher, the key by which a text of high code points sorts.
 */
export type Form = "instant" | "pattern" | "order";

/** A value in a form; null where it has none. */
export const inForm = (value: unknown, form: Form): unknown => {
  switch (form) {
    case "instant":
      return instantOf(value);
    case "pattern":
      return patternOf(value)?.java ?? null;
    case "order":
      return typeof value === "string" ? orderKey(value) : null;
  }
};

import { createRequire } from "node:module";
import { codePoints } from "@ikg/contracts/values";
import type { RE2JS as Matcher } from "re2js";
import { RegexFault } from "./code-points.ts";
import { maxSubject, re2Text, toJava } from "./java.ts";
import { readRegex } from "./read.ts";
import { type Regex, weightOf } from "./tree.ts";

const require = createRequire(import.meta.url);

let loaded: typeof Matcher | undefined;

/** The linear-time matcher; loaded when the first pattern is used, because most policies have none. */
export const re2 = (): typeof Matcher => {
  // The package declares these types; `require` does not know them.
  loaded ??= (require("re2js") as { readonly RE2JS: typeof Matcher }).RE2JS;
  return loaded;
};

/** A pattern of an author or a caller, checked. */
interface Pattern {
  /** For the database. */
  readonly java: string;
  /** Whether the whole text fits; null for a text of more than 4,096 characters. Linear time. */
  fits(text: string): boolean | null;
  /**
   * Most steps of `fits` on a text of so many characters, `maxSubject` at most. The matcher may be in as many states at each
   * character as the pattern has parts.
   */
  steps(characters: number): number;
}

const matcher = (regex: Regex): ((text: string) => boolean) => {
  const compiled = re2().compile(`(?:${re2Text(regex)})`);
  return (text) => compiled.matches(text);
};

/** Longer than `maxSubject` characters, a character being a code point. */
const isTooLong = (text: string): boolean =>
  text.length > maxSubject && (text.length > 2 * maxSubject || codePoints(text) > maxSubject);

const compile = (text: string): Pattern | { readonly fault: string } => {
  try {
    const regex = readRegex(text);
    const java = toJava(regex);
    const weight = weightOf(regex);
    let test: ((subject: string) => boolean) | undefined;
    return {
      java: java.text,
      steps: (characters) => Math.min(java.steps, characters * weight),
      fits: (subject) => {
        if (isTooLong(subject)) return null;
        test ??= matcher(regex);
        return test(subject);
      },
    };
  } catch (error) {
    if (error instanceof RegexFault) return { fault: error.message };
    throw error;
  }
};

/** Patterns compiled lately, by their text; a caller's parameters are among them, hence the bound. */
const known = new Map<string, Pattern | { readonly fault: string }>();
const maxKnown = 256;

/**
 * Checks a pattern and makes it ready for both sides.
 *
 * @returns the pattern, or the reason why it is not accepted.
 */
export const compilePattern = (text: string): Pattern | { readonly fault: string } => {
  const found = known.get(text);
  if (found !== undefined) {
    known.delete(text);
    known.set(text, found);
    return found;
  }
  const compiled = compile(text);
  // A text past every limit is no key worth keeping.
  if (text.length <= 512) {
    const [oldest] = known.keys();
    if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest);
    known.set(text, compiled);
  }
  return compiled;
};

/** A pattern that a request brings, or null when it is no text or not accepted. */
export const patternOf = (value: unknown): Pattern | null => {
  if (typeof value !== "string") return null;
  const compiled = compilePattern(value);
  return "fault" in compiled ? null : compiled;
};

/** A repeatable source of numbers below `limit`. */
const source = (seed: number): ((limit: number) => number) => {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};

const atoms =
  "a|b|ab|-|_| |K|s|é|😀|\\.|\\d|\\w|\\s|\\W|.|[ab]|[^a]|[a-c-]|[[:alpha:]]|[]a]|[a&&b]|\\n|\\x41|\\Qa.b\\E|\\b|\\B|^|$|(?i:k)|(?i:[a-s])|(?s:.)|]|}".split(
    "|",
  );
const repeats = ["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "{2,3}?"];
const characters = Array.from("abc-_ kKKsſé😀1.\n\t\r\v]Z\u2028&[");

/** Regular expressions and texts to try them on, the same ones for the same seed. */
export const patternSource = (
  seed: number,
): { readonly pattern: () => string; readonly subject: () => string } => {
  const below = source(seed);
  const pick = (list: readonly string[]): string => list[below(list.length)] ?? "";
  const draw = (depth: number): string => {
    switch (depth <= 0 ? 0 : below(6)) {
      case 0:
      case 1:
        return pick(atoms);
      case 2:
        return `(${draw(depth - 1)}|${draw(depth - 1)}${pick(["", "", "|"])})`;
      case 3:
        return `(?:${draw(depth - 1)})${pick(repeats)}`;
      case 4:
        return pick(atoms) + pick(repeats);
      default:
        return draw(depth - 1) + draw(depth - 1);
    }
  };
  return {
    pattern: () => draw(4),
    subject: () => Array.from({ length: below(8) }, () => pick(characters)).join(""),
  };
};

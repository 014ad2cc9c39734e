import {
  anyButNewline,
  type CodePoints,
  complement,
  isSame,
  areApart,
  isWithin,
  union,
  RegexFault,
} from "./code-points.ts";
import {
  type Anchor,
  type Regex,
  firstOf,
  followsOf,
  isNullable,
  longest,
  weightOf,
  isEmpty,
  type Repeat,
} from "./tree.ts";

const plain = /^[A-Za-z0-9_ @/:;,'"=<>%~`!-]$/;

const characterText = (code: number): string => {
  const character = String.fromCodePoint(code);
  return plain.test(character) && character !== "-" ? character : `\\x{${code.toString(16).toUpperCase()}}`;
};

const rangesText = (set: CodePoints): string =>
  set
    .map(([from, to]) => (from === to ? characterText(from) : `${characterText(from)}-${characterText(to)}`))
    .join("");

/** One character of a set, written the same for RE2 and for Java (with `(?d)`), and meaning the same there. */
const setText = (set: CodePoints): string => {
  if (isSame(set, anyButNewline)) return ".";
  const [first, ...more] = set;
  if (first !== undefined && more.length === 0 && first[0] === first[1]) return characterText(first[0]);
  const rest = complement(set);
  return rest.length > 0 && rest.length < set.length ? `[^${rangesText(rest)}]` : `[${rangesText(set)}]`;
};

/** `*`, `+`, `?`, `{n}`, `{n,}` or `{n,m}`. */
const countText = (least: number, most: number): string => {
  if (most === Infinity) return least === 0 ? "*" : least === 1 ? "+" : `{${least},}`;
  if (least === 0 && most === 1) return "?";
  return least === most ? `{${least}}` : `{${least},${most}}`;
};

const re2Anchors: Readonly<Record<Anchor, string>> = {
  begin: "\\A",
  end: "\\z",
  word: "\\b",
  "no-word": "\\B",
};

/** The text of the same meaning for an RE2 matcher. */
export const re2Text = (regex: Regex): string => {
  switch (regex.kind) {
    case "set":
      return setText(regex.set);
    case "anchor":
      return re2Anchors[regex.anchor];
    case "sequence":
      return regex.parts
        .map((part) => (part.kind === "choice" ? `(?:${re2Text(part)})` : re2Text(part)))
        .join("");
    case "choice":
      return regex.parts.map(re2Text).join("|");
    case "repeat": {
      const text = re2Text(regex.part);
      return `${regex.part.kind === "set" ? text : `(?:${text})`}${countText(regex.least, regex.most)}`;
    }
  }
};

/** Limit of the text that a pattern is matched against, in characters. */
export const maxSubject = 4_096;
/** Limit of the steps that a pattern may cost the database on one text: less than a second. */
const maxSteps = 2 ** 26;
/** Limit of what a pattern names with its repetitions written out, in characters and anchors. */
export const maxWeight = 1_000;
/** Limit of the repetitions of a group that the next character does not decide; each takes space on the stack. */
const maxUndecided = 100;

/** A part of the text for Java, and what it can cost there. */
interface Piece {
  readonly text: string;
  /** In how many ways it can fit from one position at most. */
  readonly ways: number;
  /** Steps from one position, all ways tried. */
  readonly steps: number;
}

const wordSet = "[0-9A-Z_a-z]";
/** Java's own `\b` goes by Unicode in some versions: spelt out. */
const anchors: Readonly<Record<Anchor, string>> = {
  begin: "\\A",
  end: "\\z",
  word: `(?:(?<=${wordSet})(?!${wordSet})|(?<!${wordSet})(?=${wordSet}))`,
  "no-word": `(?:(?<=${wordSet})(?=${wordSet})|(?<!${wordSet})(?!${wordSet}))`,
};

const alternativesAreDecided = (parts: readonly Regex[], follow: CodePoints): boolean => {
  const starts = parts.map((part) => (isNullable(part) ? union(firstOf(part), follow) : firstOf(part)));
  return (
    parts.filter(isNullable).length <= 1 &&
    starts.every((start, index) => starts.slice(index + 1).every((other) => areApart(start, other)))
  );
};

const followInRepeat = (regex: Repeat, follow: CodePoints): CodePoints =>
  regex.most > 1 ? union(firstOf(regex.part), follow) : follow;

const endIsDecided = (regex: Repeat, follow: CodePoints): boolean =>
  regex.least === regex.most || areApart(firstOf(regex.part), follow);

/** True when the next character decides every choice; `follow` is what may come after. */
const isDecided = (regex: Regex, follow: CodePoints): boolean => {
  switch (regex.kind) {
    case "set":
    case "anchor":
      return true;
    case "sequence": {
      const follows = followsOf(regex.parts, follow);
      return regex.parts.every((part, index) => isDecided(part, follows[index] ?? follow));
    }
    case "choice":
      return (
        alternativesAreDecided(regex.parts, follow) && regex.parts.every((part) => isDecided(part, follow))
      );
    case "repeat":
      return (
        !isNullable(regex.part) &&
        endIsDecided(regex, follow) &&
        isDecided(regex.part, followInRepeat(regex, follow))
      );
  }
};

const choicePiece = (parts: readonly Regex[], follow: CodePoints): Piece => {
  const pieces = parts.map((part) => piece(part, follow));
  const text = `(?:${pieces.map((each) => each.text).join("|")})`;
  const ways = pieces.map((each) => each.ways);
  const steps = pieces.map((each) => each.steps);
  if (alternativesAreDecided(parts, follow)) {
    return { text, ways: Math.max(...ways), steps: parts.length + Math.max(...steps) };
  }
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  return { text, ways: sum(ways), steps: parts.length + sum(steps) };
};

/** Written possessive where no other way could fit: nothing to try again, and no stack for the repetitions. */
const repeatPiece = (regex: Repeat, follow: CodePoints): Piece => {
  const { part, least, most } = regex;
  const count = countText(least, most);
  const reach = Math.min(most, maxSubject);
  if (part.kind === "set") {
    const decided = endIsDecided(regex, follow);
    const text = `${setText(part.set)}${count}${decided && least !== most ? "+" : ""}`;
    return { text, ways: decided ? 1 : reach - least + 1, steps: reach };
  }
  const inner = piece(part, followInRepeat(regex, follow));
  const text = `(?:${inner.text})${count}`;
  if (isDecided(regex, follow)) {
    const length = Math.min(maxSubject, most * longest(part));
    return { text: `${text}+`, ways: 1, steps: reach + length * weightOf(part) };
  }
  if (most > maxUndecided) {
    throw new RegexFault(
      "the next character must decide whether a repeated group continues or ends: " +
        'instead of "(x-)*x" write "x(-x)*", instead of "(a|b)*" write "[ab]*"',
    );
  }
  let [ways, steps, power] = [least === 0 ? 1 : 0, 0, 1];
  for (let round = 1; round <= most; round++) {
    steps += power * inner.steps;
    power *= inner.ways;
    if (round >= least) ways += power;
  }
  return { text, ways, steps };
};

/** A fixed run of characters after `parts[from]`, and where the next part begins. */
const fixedRun = (
  parts: readonly Regex[],
  from: number,
  within: CodePoints,
): { readonly text: string; readonly length: number; readonly next: number } => {
  let [text, length, next] = ["", 0, from];
  for (; next < parts.length; next++) {
    const part = parts[next];
    const set = part?.kind === "repeat" && part.least === part.most ? part.part : part;
    if (part === undefined || set?.kind !== "set" || !isWithin(set.set, within)) break;
    text += setText(set.set) + (part.kind === "repeat" ? countText(part.least, part.most) : "");
    length += part.kind === "repeat" ? part.least : 1;
  }
  return { text, length, next };
};

const isLoopOf = (regex: Regex | undefined, set: CodePoints): boolean =>
  regex?.kind === "repeat" &&
  regex.most === Infinity &&
  regex.part.kind === "set" &&
  isSame(regex.part.set, set);

/** True when every character that the expression can take is in `set`. */
const takesOnly = (regex: Regex, set: CodePoints): boolean => {
  switch (regex.kind) {
    case "set":
      return isWithin(regex.set, set);
    case "anchor":
      return true;
    case "sequence":
    case "choice":
      return regex.parts.every((part) => takesOnly(part, set));
    case "repeat":
      return takesOnly(regex.part, set);
  }
};

/**
 * `S*wS*` with every character of w in S: where w is found first is as good as anywhere later, because the second
 * `S*` takes what lies between; so the search need not be taken up again. For w of a fixed length that holds
 * whatever follows; at the end of the pattern, where the last `S*` takes all the rest, for any w.
 */
const searchPiece = (
  parts: readonly Regex[],
  at: number,
  follow: CodePoints,
): { readonly piece: Piece; readonly next: number } | undefined => {
  const first = parts[at];
  if (first?.kind !== "repeat" || first.part.kind !== "set" || first.most !== Infinity) return undefined;
  const { set } = first.part;
  const search = (found: Piece, next: number): { readonly piece: Piece; readonly next: number } => {
    const text = `(?>${setText(set)}${countText(first.least, Infinity)}?${found.text})`;
    return { piece: { text, ways: 1, steps: maxSubject * (1 + found.steps) }, next };
  };
  const run = fixedRun(parts, at + 1, set);
  if (run.length > 0 && isLoopOf(parts[run.next], set)) {
    return search({ text: run.text, ways: 1, steps: run.length }, run.next);
  }
  const last = parts.at(-1);
  const between = parts.slice(at + 1, -1);
  const takesTheRest = last?.kind === "repeat" && last.least === 0 && isLoopOf(last, set);
  if (follow.length > 0 || !takesTheRest || between.length === 0) return undefined;
  return between.every((part) => takesOnly(part, set))
    ? search(sequencePiece(between, set), parts.length - 1)
    : undefined;
};

const sequencePiece = (parts: readonly Regex[], follow: CodePoints): Piece => {
  const follows = followsOf(parts, follow);
  const pieces: Piece[] = [];
  for (let at = 0; at < parts.length;) {
    const search = searchPiece(parts, at, follow);
    const part = parts[at];
    if (search !== undefined) pieces.push(search.piece);
    else if (part !== undefined) pieces.push(piece(part, follows[at] ?? follow));
    at = search?.next ?? at + 1;
  }
  return pieces.reduceRight<Piece>(
    (rest, each) => ({
      text: each.text + rest.text,
      ways: each.ways * rest.ways,
      steps: each.steps + each.ways * rest.steps,
    }),
    { text: "", ways: 1, steps: 0 },
  );
};

const piece = (regex: Regex, follow: CodePoints): Piece => {
  switch (regex.kind) {
    case "set":
      return { text: setText(regex.set), ways: 1, steps: 1 };
    case "anchor":
      return { text: anchors[regex.anchor], ways: 1, steps: 2 };
    case "sequence":
      return isEmpty(regex) ? { text: "", ways: 1, steps: 0 } : sequencePiece(regex.parts, follow);
    case "choice":
      return choicePiece(regex.parts, follow);
    case "repeat":
      return repeatPiece(regex, follow);
  }
};

/** A pattern for `java.util.regex`. */
interface JavaPattern {
  readonly text: string;
  /** Most steps of a match on a text of `maxSubject` characters, every way tried. */
  readonly steps: number;
}

/**
 * The text of the same meaning for `java.util.regex`, which the database uses: without a limit there, its search
 * goes through every way to fit and cannot be stopped. What is returned takes less than `maxSteps` on a text of
 * `maxSubject` characters and no stack that grows with the text; throws RegexFault for what cannot be written so.
 */
export const toJava = (regex: Regex): JavaPattern => {
  if (weightOf(regex) > maxWeight)
    throw new RegexFault(`repetitions written out exceed ${maxWeight} characters`);
  const { text, steps } = piece(regex, []);
  if (steps > maxSteps) {
    throw new RegexFault(
      "the expression can backtrack too much: at most two quantifiers such as .* may be followed by text that they also match",
    );
  }
  return { text: `(?d)${text}`, steps };
};

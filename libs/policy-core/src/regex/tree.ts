import { type CodePoints, isSame, union } from "./code-points.ts";

/** A position between characters: begin and end of the text, at or not at a border of an ASCII word. */
export type Anchor = "begin" | "end" | "word" | "no-word";

/** A regular expression as a set of texts; groups and greed make no difference to it. */
export type Regex =
  | { readonly kind: "set"; readonly set: CodePoints }
  | { readonly kind: "anchor"; readonly anchor: Anchor }
  | { readonly kind: "sequence"; readonly parts: readonly Regex[] }
  | { readonly kind: "choice"; readonly parts: readonly Regex[] }
  /** `most` is Infinity where there is no end. */
  | { readonly kind: "repeat"; readonly part: Regex; readonly least: number; readonly most: number };

export type Repeat = Extract<Regex, { readonly kind: "repeat" }>;
type RegexSet = Extract<Regex, { readonly kind: "set" }>;

const empty: Regex = { kind: "sequence", parts: [] };

export const isEmpty = (regex: Regex): boolean => regex.kind === "sequence" && regex.parts.length === 0;

const partsOf = (regex: Regex): readonly Regex[] => (regex.kind === "sequence" ? regex.parts : [regex]);

/** A sequence without sequences in it. */
export const sequence = (parts: readonly Regex[]): Regex => {
  const flat = parts.flatMap(partsOf);
  const [only] = flat;
  return flat.length === 1 && only !== undefined ? only : { kind: "sequence", parts: flat };
};

const isAlike = (a: Regex, b: Regex): boolean => {
  switch (a.kind) {
    case "set":
      return b.kind === "set" && isSame(a.set, b.set);
    case "anchor":
      return b.kind === "anchor" && a.anchor === b.anchor;
    case "repeat":
      return b.kind === "repeat" && a.least === b.least && a.most === b.most && isAlike(a.part, b.part);
    case "sequence":
    case "choice":
      return (
        b.kind === a.kind &&
        a.parts.length === b.parts.length &&
        a.parts.every((part, index) => isAlike(part, b.parts[index] ?? empty))
      );
  }
};

/** Takes out what several alternatives begin with, so that the next character decides which of them continues. */
const factored = (alternatives: readonly Regex[]): readonly Regex[] => {
  const groups: { readonly head: Regex | undefined; readonly tails: Regex[] }[] = [];
  for (const alternative of alternatives) {
    const [head, ...tail] = partsOf(alternative);
    const group = groups.find((each) =>
      head === undefined || each.head === undefined ? head === each.head : isAlike(each.head, head),
    );
    if (group === undefined) groups.push({ head, tails: [sequence(tail)] });
    else group.tails.push(sequence(tail));
  }
  return groups.map(({ head, tails }) => (head === undefined ? empty : sequence([head, choice(tails)])));
};

/** A choice without choices in it; single characters are one set, common beginnings are shared. */
export const choice = (alternatives: readonly Regex[]): Regex => {
  const flat = alternatives.flatMap((each) => (each.kind === "choice" ? each.parts : [each]));
  const sets = flat.filter((each): each is RegexSet => each.kind === "set");
  const rest = flat.filter((each) => each.kind !== "set");
  const joined: readonly Regex[] =
    sets.length === 0 ? [] : [{ kind: "set", set: union(...sets.map(({ set }) => set)) }];
  const parts = factored([
    ...joined,
    ...rest.filter((each) => !isEmpty(each)),
    ...rest.filter(isEmpty).slice(0, 1),
  ]);
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "choice", parts };
};

/** A repetition; one of a repetition is one where that means the same. */
export const repeat = (part: Regex, least: number, most: number): Regex => {
  if (isEmpty(part) || most === 0) return empty;
  if (least === 1 && most === 1) return part;
  if (part.kind === "repeat" && part.least <= 1 && most === Infinity) {
    return repeat(part.part, part.least === 0 ? 0 : least, Infinity);
  }
  return { kind: "repeat", part, least, most };
};

/** True when the empty text, at some position, fits. */
export const isNullable = (regex: Regex): boolean => {
  switch (regex.kind) {
    case "set":
      return false;
    case "anchor":
      return true;
    case "sequence":
      return regex.parts.every(isNullable);
    case "choice":
      return regex.parts.some(isNullable);
    case "repeat":
      return regex.least === 0 || isNullable(regex.part);
  }
};

/** The characters with which texts that fit begin. */
export const firstOf = (regex: Regex): CodePoints => {
  switch (regex.kind) {
    case "set":
      return regex.set;
    case "anchor":
      return [];
    case "sequence": {
      const end = regex.parts.findIndex((part) => !isNullable(part));
      return union(...regex.parts.slice(0, end < 0 ? undefined : end + 1).map(firstOf));
    }
    case "choice":
      return union(...regex.parts.map(firstOf));
    case "repeat":
      return firstOf(regex.part);
  }
};

/** For each part of a sequence, the characters that may come next after it; `after` may follow the whole. */
export const followsOf = (parts: readonly Regex[], after: CodePoints): readonly CodePoints[] => {
  const follows: CodePoints[] = [];
  let follow = after;
  for (const part of parts.toReversed()) {
    follows.unshift(follow);
    follow = isNullable(part) ? union(firstOf(part), follow) : firstOf(part);
  }
  return follows;
};

/** The length in characters of the longest matching text, Infinity where it is unbounded. */
export const longest = (regex: Regex): number => {
  switch (regex.kind) {
    case "set":
      return 1;
    case "anchor":
      return 0;
    case "sequence":
      return regex.parts.reduce((sum, part) => sum + longest(part), 0);
    case "choice":
      return Math.max(...regex.parts.map(longest));
    case "repeat": {
      const length = longest(regex.part);
      return length === 0 ? 0 : length * regex.most;
    }
  }
};

/** How many characters and anchors the expression names, repetitions counted as often as they must be written. */
export const weightOf = (regex: Regex): number => {
  switch (regex.kind) {
    case "set":
    case "anchor":
      return 1;
    case "sequence":
    case "choice":
      return regex.parts.reduce((sum, part) => sum + weightOf(part), 1);
    case "repeat":
      return weightOf(regex.part) * Math.max(1, regex.most === Infinity ? regex.least : regex.most);
  }
};

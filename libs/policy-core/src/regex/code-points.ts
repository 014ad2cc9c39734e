/** A set of code points: ranges from-to, both ends in it, ascending and apart from one another. */
export type CodePoints = readonly (readonly [number, number])[];

export const lastCodePoint = 0x10ffff;

export const everything: CodePoints = [[0, lastCodePoint]];

/** The set that holds every point of the ranges, which may overlap and stand in any order. */
export const codePoints = (ranges: CodePoints): CodePoints => {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
};

export const union = (...sets: readonly CodePoints[]): CodePoints => codePoints(sets.flat());

export const complement = (set: CodePoints): CodePoints => {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) rest.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= lastCodePoint) rest.push([next, lastCodePoint]);
  return rest;
};

/** True when no point is in both. */
export const areApart = (a: CodePoints, b: CodePoints): boolean => {
  let [i, j] = [0, 0];
  for (;;) {
    const [left, right] = [a[i], b[j]];
    if (left === undefined || right === undefined) return true;
    if (left[1] < right[0]) i++;
    else if (right[1] < left[0]) j++;
    else return false;
  }
};

/** True when every point of `part` is in `whole`. */
export const isWithin = (part: CodePoints, whole: CodePoints): boolean => areApart(part, complement(whole));

export const isSame = (a: CodePoints, b: CodePoints): boolean =>
  a.length === b.length && a.every(([from, to], index) => b[index]?.[0] === from && b[index]?.[1] === to);

const point = (code: number): CodePoints => [[code, code]];

/** The points of a text, each a range of its own. */
export const pointsOf = (text: string): CodePoints =>
  codePoints(Array.from(text).flatMap((character) => point(character.codePointAt(0) ?? 0)));

const letters = (from: string, to: string): readonly [number, number] => [
  from.charCodeAt(0),
  to.charCodeAt(0),
];
const upper = letters("A", "Z");
const lower = letters("a", "z");
/** Letters outside ASCII that fold to a letter in it: long s and the Kelvin sign. */
const foldedAbroad = [
  { letter: "s".charCodeAt(0), abroad: 0x17f },
  { letter: "k".charCodeAt(0), abroad: 0x212a },
];

const shifted = (set: CodePoints, [low, high]: readonly [number, number], by: number): CodePoints =>
  set.flatMap(([from, to]) => {
    const [first, last] = [Math.max(from, low), Math.min(to, high)];
    return first <= last ? [[first + by, last + by] as const] : [];
  });

/** The set with both cases of every ASCII letter, and what Unicode folds to them. */
export const bothCases = (set: CodePoints): CodePoints => {
  const folded = union(set, shifted(set, upper, 32), shifted(set, lower, -32));
  const abroad = foldedAbroad.filter(({ letter }) => !areApart(folded, point(letter)));
  return union(folded, ...abroad.map((each) => point(each.abroad)));
};

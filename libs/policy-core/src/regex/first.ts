import { type CodePoints, union } from "./code-points.ts";
import type { Regex } from "./tree.ts";

/** True when the empty text, at some place, fits. */
export const isNullable = (regex: Regex): boolean => {
  switch (regex.kind) {
    case "set":
      return false;
    case "place":
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
    case "place":
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

/** The length in characters of the longest text that fits, Infinity where there is none. */
export const longest = (regex: Regex): number => {
  switch (regex.kind) {
    case "set":
      return 1;
    case "place":
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

/** How many characters and places the expression names, repetitions counted as often as they must be written. */
export const weightOf = (regex: Regex): number => {
  switch (regex.kind) {
    case "set":
    case "place":
      return 1;
    case "sequence":
    case "choice":
      return regex.parts.reduce((sum, part) => sum + weightOf(part), 1);
    case "repeat":
      return weightOf(regex.part) * Math.max(1, regex.most === Infinity ? regex.least : regex.most);
  }
};

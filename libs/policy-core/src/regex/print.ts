import { anyButNewline } from "./classes.ts";
import { type CodePoints, complement, isSame } from "./code-points.ts";
import type { Place, Regex } from "./tree.ts";

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
export const setText = (set: CodePoints): string => {
  if (isSame(set, anyButNewline)) return ".";
  const [first, ...more] = set;
  if (first !== undefined && more.length === 0 && first[0] === first[1]) return characterText(first[0]);
  const others = complement(set);
  return others.length > 0 && others.length < set.length
    ? `[^${rangesText(others)}]`
    : `[${rangesText(set)}]`;
};

/** `*`, `+`, `?`, `{n}`, `{n,}` or `{n,m}`. */
export const countText = (least: number, most: number): string => {
  if (most === Infinity) return least === 0 ? "*" : least === 1 ? "+" : `{${least},}`;
  if (least === 0 && most === 1) return "?";
  return least === most ? `{${least}}` : `{${least},${most}}`;
};

const re2Places: Readonly<Record<Place, string>> = {
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
    case "place":
      return re2Places[regex.place];
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

import { isSame, union } from "./code-points.ts";
import { empty, isEmpty, type Regex, type RegexSet } from "./tree.ts";

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
    case "place":
      return b.kind === "place" && a.place === b.place;
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

/** Takes out what several alternatives begin with, so that the next character tells which of them goes on. */
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
  const others = flat.filter((each) => each.kind !== "set");
  const joined: readonly Regex[] =
    sets.length === 0 ? [] : [{ kind: "set", set: union(...sets.map(({ set }) => set)) }];
  const parts = factored([
    ...joined,
    ...others.filter((each) => !isEmpty(each)),
    ...others.filter(isEmpty).slice(0, 1),
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

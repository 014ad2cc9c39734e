import type { CandidateExplanation } from "@ikg/client";
import { entityText } from "../input/entity.ts";
import { shownCell } from "../output/cell.ts";

type Path = NonNullable<CandidateExplanation["path"]>;
type Node = Path["nodes"][number];
type Relationship = Path["relationships"][number];

const same = (one: Node, other: Node): boolean => one.type === other.type && one.id === other.id;

const show = (node: Node): string => shownCell(entityText(node));

/** Draws the path from a node on, over the relationships in `left`, and removes them from it. */
const walk = (from: Node, left: Relationship[]): string => {
  let text = show(from);
  for (let at = from; ;) {
    const next = left.findIndex(({ source, target }) => same(source, at) || same(target, at));
    const [relationship] = next < 0 ? [] : left.splice(next, 1);
    if (relationship === undefined) return text;
    const { source, target, type } = relationship;
    const leaves = same(source, at);
    at = leaves ? target : source;
    text += leaves ? ` ─${type}→ ${show(at)}` : ` ←${type}─ ${show(at)}`;
  }
};

/** The match of a pattern as a path that starts at the subject: `Pilot/amelia ─RATED_FOR→ Model/dc3 ←IS─ Aircraft/N211`. */
export const pathText = ({ nodes, relationships }: Path, first?: Node): readonly string[] => {
  const left = [...relationships];
  const start = nodes.find((node) => first !== undefined && same(node, first)) ?? nodes[0];
  const lines = start === undefined ? [] : [walk(start, left)];
  for (let [next] = left; next !== undefined; [next] = left) lines.push(walk(next.source, left));
  const drawn = new Set(relationships.flatMap(({ source, target }) => [show(source), show(target)]));
  const alone = nodes.filter((node) => node !== start && !drawn.has(show(node))).map(show);
  return [...lines, ...alone];
};

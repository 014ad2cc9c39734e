import { type Element, type NodeLine, nodesOf, type RelationshipLine, relationshipsOf } from "./elements.ts";
import type { RawDatabase } from "./source.ts";
import type { Unit } from "./units.ts";

/** How a reading found an element. */
export interface Known {
  readonly hash: string;
  readonly stamp: string | undefined;
  /** Its line, where one reading may have to tell how it was. */
  readonly text: string | undefined;
}

/** All elements of a kind, by their numbers, as one reading found them. */
export type Reading = Map<string, Known>;

export interface Readings {
  readonly nodes: Reading;
  readonly relationships: Reading;
}

/** Characters of lines that are kept of one reading; those of other nodes are not, and cannot change unnoticed for that. */
const mostCharacters = 200_000_000;

/** Notes elements as they are read. */
export const openReading = () => {
  const reading: Reading = new Map();
  let characters = 0;
  const keep = (line: object): string | undefined => {
    if (!("n" in line) || characters > mostCharacters) return undefined;
    const text = JSON.stringify(line);
    characters += text.length;
    return text;
  };
  return {
    reading,
    add: ({ id, hash, stamp, line }: Element<NodeLine | RelationshipLine>): void => {
      reading.set(id, { hash, stamp, text: keep(line) });
    },
  };
};

/** Reads a unit without copying it. */
export const readUnit = async (database: RawDatabase, unit: Unit): Promise<Readings> => {
  const [nodes, relationships] = [openReading(), openReading()];
  for await (const node of nodesOf(database, unit)) nodes.add(node);
  for await (const relationship of relationshipsOf(database, unit)) relationships.add(relationship);
  return { nodes: nodes.reading, relationships: relationships.reading };
};

import { type Element, type NodeLine, nodesOf, type RelationshipLine, relationshipsOf } from "./elements.ts";
import type { RawDatabase } from "./source.ts";
import type { Unit } from "./units.ts";

/** State of an element when a pass read it. */
export interface ElementState {
  readonly hash: string;
  readonly stamp: string | undefined;
  /** Its line, kept where a later pass may need its former state. */
  readonly text: string | undefined;
}

/** States of all elements of a kind as one pass read them, by their numbers. */
export type ElementStates = Map<string, ElementState>;

export interface UnitStates {
  readonly nodes: ElementStates;
  readonly relationships: ElementStates;
}

/** Characters of lines that one pass keeps. Lines beyond it are not kept; changes of their nodes are still noticed by the hash. */
const mostCharacters = 200_000_000;

/** Notes elements as they are read. */
export const openElementStates = () => {
  const states: ElementStates = new Map();
  let characters = 0;
  const keep = (line: object): string | undefined => {
    if (!("n" in line) || characters > mostCharacters) return undefined;
    const text = JSON.stringify(line);
    characters += text.length;
    return text;
  };
  return {
    states,
    add: ({ id, hash, stamp, line }: Element<NodeLine | RelationshipLine>): void => {
      states.set(id, { hash, stamp, text: keep(line) });
    },
  };
};

/** Reads a unit without copying it. */
export const readUnit = async (database: RawDatabase, unit: Unit): Promise<UnitStates> => {
  const [nodes, relationships] = [openElementStates(), openElementStates()];
  for await (const node of nodesOf(database, unit)) nodes.add(node);
  for await (const relationship of relationshipsOf(database, unit)) relationships.add(relationship);
  return { nodes: nodes.states, relationships: relationships.states };
};

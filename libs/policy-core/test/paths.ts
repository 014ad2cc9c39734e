import {
  isFault,
  type NodePath,
  readNodePath,
  readRelationshipPath,
  type RelationshipPath,
} from "../src/paths/path.ts";

/** @throws Error with what is wrong with the path of a node */
export const node = (text: string): NodePath => {
  const path = readNodePath(text);
  if (isFault(path)) throw new Error(path.fault);
  return path;
};

/** @throws Error with what is wrong with the path of a relationship */
export const relationship = (text: string): RelationshipPath => {
  const path = readRelationshipPath(text);
  if (isFault(path)) throw new Error(path.fault);
  return path;
};

import type { MapEntry, MapLiteral } from "../ast.ts";
import type { Reader } from "./reader.ts";

/** Reads `{key: value, …}`. */
export const readMap = (reader: Reader): MapLiteral => {
  const { at } = reader.expectMark("{");
  const entries: MapEntry[] = [];
  if (!reader.isMark("}")) {
    do {
      const key = reader.expectName();
      reader.expectMark(":");
      entries.push({ kind: "entry", key: key.name, value: reader.rules.expression(reader), at: key.at });
    } while (reader.takeMark(","));
  }
  reader.expectMark("}");
  return { kind: "map", entries, at };
};

import { useArgumentRefusal, useRefusal } from "./refusals.ts";
import type { UseClause } from "../ast.ts";
import type { Reader } from "./reader.ts";

/** Reads `USE graph.byName(argument)` (policy language, section 6.6). */
export const readUse = (reader: Reader, first: boolean): UseClause => {
  const { at } = reader.expectWord("USE");
  if (!reader.allowed.use) return reader.refuse(useRefusal, at);
  if (!first) return reader.refuse("USE must be the first clause of its query", at);
  if (!isByName(reader)) return reader.refuse("USE takes graph.byName and nothing else", at);
  reader.index += 4;
  const argument = readArgument(reader);
  if (!reader.takeMark(")")) return reader.refuse(useArgumentRefusal, argument.at);
  return { kind: "use", argument, at };
};

const isByName = (reader: Reader): boolean =>
  reader.isWord("GRAPH") && reader.isMark(".", 1) && reader.isWord("BYNAME", 2) && reader.isMark("(", 3);

const readArgument = (reader: Reader): UseClause["argument"] => {
  const { token } = reader;
  const { at } = token;
  if (token.kind === "string") {
    reader.index += 1;
    return { kind: "string", value: token.value, at };
  }
  const name = reader.ahead(1);
  if (!reader.isMark("$") || name.kind !== "name") return reader.refuse(useArgumentRefusal);
  reader.index += 2;
  return { kind: "parameter", name: name.name, at };
};

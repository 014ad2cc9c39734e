import type { CallClause } from "../ast.ts";
import type { Reader } from "./reader.ts";

/** Deepest nesting of `CALL { }` (policy language, section 6.7). */
export const deepestCalls = 3;

/** Reads `CALL { … }`, `CALL (a, b) { … }`, `CALL (*) { … }`; a procedure call and batches are forbidden clauses. */
export const readCall = (reader: Reader): CallClause | "forbidden" => {
  const { at } = reader.expectWord("CALL");
  if (!reader.allowed.call || !(reader.isMark("{") || reader.isMark("("))) {
    reader.forbid("CALL", at);
    return "forbidden";
  }
  if (reader.calls === deepestCalls)
    reader.refuse(`CALL nested deeper than ${deepestCalls} is not allowed`, at);
  const imports = reader.isMark("(") ? readImports(reader) : "importing-with";
  reader.expectMark("{");
  reader.calls += 1;
  const body = reader.rules.callBody(reader);
  reader.calls -= 1;
  reader.expectMark("}");
  if (reader.isWord("IN")) {
    reader.forbid("CALL", at);
    return "forbidden";
  }
  return { kind: "call", imports, body, at };
};

const readImports = (reader: Reader): "all" | readonly string[] => {
  reader.expectMark("(");
  if (reader.takeMark("*")) {
    reader.expectMark(")");
    return "all";
  }
  const names: string[] = [];
  if (!reader.isMark(")")) {
    do {
      names.push(reader.expectName().name);
    } while (reader.takeMark(","));
  }
  reader.expectMark(")");
  return names;
};

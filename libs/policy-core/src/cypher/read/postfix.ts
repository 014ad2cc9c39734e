import { isLabelStart, readLabel } from "./labels.ts";
import { present } from "../present.ts";
import { readPrimary } from "./primary.ts";
import type { Expression } from "../ast.ts";
import type { Reader } from "./reader.ts";

/** Reads a primary with what is hung on it: `.key`, `[index]`, `[from..to]`, `:Label`. */
export const readPostfix = (reader: Reader): Expression => {
  let target = readPrimary(reader);
  for (;;) {
    const { at } = target;
    if (reader.takeMark(".")) target = { kind: "property", target, key: reader.expectName().name, at };
    else if (reader.isMark("[")) target = readBrackets(reader, target);
    else if (isLabelStart(reader))
      target = { kind: "label-test", target, label: readLabel(reader, "node"), at };
    else return target;
  }
};

const readBrackets = (reader: Reader, target: Expression): Expression => {
  const { at } = target;
  reader.expectMark("[");
  const from = reader.isMark("..") ? undefined : reader.rules.expression(reader);
  if (from !== undefined && reader.takeMark("]")) return { kind: "index", target, index: from, at };
  reader.expectMark("..");
  if (from === undefined && reader.isMark("]")) reader.refuse("a slice needs a beginning or an end");
  const to = reader.isMark("]") ? undefined : reader.rules.expression(reader);
  reader.expectMark("]");
  return { kind: "slice", target, ...present({ from, to }), at };
};

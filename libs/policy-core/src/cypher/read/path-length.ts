import { present } from "../present.ts";
import type { PathLength } from "../ast.ts";
import type { Reader } from "./reader.ts";

/** Most hops that a text may state (policy language, section 5.3). */
export const longestPath = 20;

/** Reads `*`, `*n`, `*n..`, `*..m`, `*n..m`. */
export const readLength = (reader: Reader): PathLength => {
  reader.expectMark("*");
  const min = readBound(reader);
  if (!reader.takeMark("..")) return min === undefined ? {} : { min, max: min };
  return present({ min, max: readBound(reader) });
};

const readBound = (reader: Reader): number | undefined => {
  const { token } = reader;
  if (token.kind !== "integer") return undefined;
  reader.index += 1;
  if (token.value <= BigInt(longestPath)) return Number(token.value);
  reader.note(`variable length above ${longestPath} is not allowed`, token.at);
  return longestPath;
};

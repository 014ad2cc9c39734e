import type { PatternPart } from "@ikg/client";
import { offsetOf } from "../../text/text-position.ts";

/** A piece of a text, and whether it is what failed. */
export interface Segment {
  readonly text: string;
  readonly isMarked: boolean;
}

const withoutEmpty = (segments: readonly Segment[]): readonly Segment[] =>
  segments.filter(({ text }) => text !== "");

/** A Cypher text with a part of it marked; lines and columns count from 1, the end is after the part. */
export const markPart = (text: string, part: PatternPart | undefined): readonly Segment[] => {
  if (part === undefined) return [{ text, isMarked: false }];
  const [from, to] = [offsetOf(text, part.from), offsetOf(text, part.to)];
  return withoutEmpty([
    { text: text.slice(0, from), isMarked: false },
    { text: text.slice(from, to), isMarked: true },
    { text: text.slice(to), isMarked: false },
  ]);
};

/** Appends pieces, joining neighbours of one kind. */
class Writer {
  readonly segments: { text: string; isMarked: boolean }[] = [];

  write(text: string, isMarked: boolean): void {
    const last = this.segments.at(-1);
    if (last?.isMarked === isMarked) last.text += text;
    else this.segments.push({ text, isMarked });
  }
}

const step = (path: string, key: string | number): string =>
  typeof key === "number" ? `${path}[${key}]` : `${path}.${key}`;

/**
 * JSON with two blanks for each level, and what stands at a path marked.
 *
 * @param path of the value itself, as `policy.condition.filter`.
 * @param marked such a path, as `policy.condition.filter.operands[1]`; undefined: nothing is marked.
 */
export const markPath = (value: unknown, path: string, marked: string | undefined): readonly Segment[] => {
  const writer = new Writer();
  const write = (current: unknown, at: string, indent: string, isInside: boolean): void => {
    const isMarked = isInside || at === marked;
    const inner = `${indent}  `;
    const isList = Array.isArray(current);
    if (typeof current !== "object" || current === null) {
      writer.write(JSON.stringify(current) ?? "null", isMarked);
      return;
    }
    const entries: readonly (readonly [string | number, unknown])[] = isList
      ? current.map((each, index) => [index, each] as const)
      : Object.entries(current);
    if (entries.length === 0) {
      writer.write(isList ? "[]" : "{}", isMarked);
      return;
    }
    writer.write(isList ? "[" : "{", isMarked);
    for (const [index, [key, each]] of entries.entries()) {
      writer.write(`${index === 0 ? "" : ","}\n${inner}`, isMarked);
      if (!isList) writer.write(`${JSON.stringify(key)}: `, isMarked);
      write(each, step(at, key), inner, isMarked);
    }
    writer.write(`\n${indent}${isList ? "]" : "}"}`, isMarked);
  };
  write(value, path, "", false);
  return writer.segments;
};

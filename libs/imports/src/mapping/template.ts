import type { Cells } from "../tables/row.ts";
import type { ColumnOf } from "./column.ts";
import { textOf } from "./convert.ts";

/** A template that cannot be read; `offset` counts from 0 in its text. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Fixed texts and columns in turn: `p-{id}` is `p-`, id, and an empty text. */
export interface Template {
  readonly texts: readonly string[];
  readonly columns: readonly string[];
}

/** Reads `text {column} text`; `{{` and `}}` are braces. @throws TemplateError */
export const parseTemplate = (source: string): Template => {
  const texts: string[] = [];
  const columns: string[] = [];
  let text = "";
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at);
    if ("{}".includes(character) && source.charAt(at + 1) === character) {
      text += character;
      at += 1;
    } else if (character === "}") throw new TemplateError(at, "this brace closes none; }} is a brace itself");
    else if (character === "{") {
      const end = source.indexOf("}", at);
      const name = source.slice(at + 1, end < 0 ? undefined : end).trim();
      if (end < 0 || name.includes("{"))
        throw new TemplateError(at, "the brace that opens here is not closed; {{ is a brace itself");
      if (name === "") throw new TemplateError(at, "the name of a column in the braces expected");
      texts.push(text);
      columns.push(name);
      text = "";
      at = end;
    } else text += character;
  }
  return { texts: [...texts, text], columns };
};

/** The text of a row; undefined where one of its columns has no value. */
export type TemplateText = (cells: Cells) => string | undefined;

export const compileTemplate = (source: string, columnOf: ColumnOf): TemplateText => {
  const { texts, columns } = parseTemplate(source);
  const [first = ""] = texts;
  if (columns.length === 0) return () => first;
  const values = columns.map(columnOf);
  return (cells) => {
    let result = first;
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]?.(cells);
      if (value === undefined) return undefined;
      result += textOf(value) + (texts[at + 1] ?? "");
    }
    return result;
  };
};

/** The template whose text is the value of a column. */
export const templateOf = (column: string): string => `{${column}}`;

import type { Cells } from "../tables/row.ts";
import type { ColumnOf } from "./column.ts";
import { textOf } from "./convert.ts";

/** A syntax error in a template; `offset` counts from 0. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Alternating texts and columns: `p-{id}` has the texts `p-` and the empty text, and the column `id`. */
export interface Template {
  readonly texts: readonly string[];
  readonly columns: readonly string[];
}

/** Parses `text {column} text`; `{{` and `}}` are literal braces. @throws TemplateError */
export const parseTemplate = (source: string): Template => {
  const texts: string[] = [];
  const columns: string[] = [];
  let text = "";
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at);
    if ("{}".includes(character) && source.charAt(at + 1) === character) {
      text += character;
      at += 1;
    } else if (character === "}")
      throw new TemplateError(at, 'unmatched "}"; write "}}" for a literal brace');
    else if (character === "{") {
      const end = source.indexOf("}", at);
      const name = source.slice(at + 1, end < 0 ? undefined : end).trim();
      if (end < 0 || name.includes("{"))
        throw new TemplateError(at, 'unclosed "{"; write "{{" for a literal brace');
      if (name === "") throw new TemplateError(at, "column name expected between the braces");
      texts.push(text);
      columns.push(name);
      text = "";
      at = end;
    } else text += character;
  }
  return { texts: [...texts, text], columns };
};

/** Fills a template with the values of a row; undefined if one of its columns is empty. */
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

/** The template that consists of one column. */
export const templateOf = (column: string): string => `{${column}}`;

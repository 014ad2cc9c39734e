import { IkgError, type Validation } from "@ikg/client";
import { placeInJson } from "../../text/json-place.ts";
import { offsetOf, type TextPosition } from "../../text/text-position.ts";

/** An error or a warning about a policy or a query, with its place. */
export interface RecordDiagnostic {
  readonly severity: "error" | "warning";
  /** JSON path in the record, as `policy.condition.cypher`; empty where the answer names none. */
  readonly path: string;
  readonly text: string;
  /** In the Cypher. */
  readonly place: TextPosition | undefined;
  /** Of a warning, as docs/policy-language.md lists them. */
  readonly code: string | undefined;
  /** What an operator of the database would run. */
  readonly statement: string | undefined;
}

export const cypherPath = "policy.condition.cypher";

const detail = /^([A-Za-z_][\w.[\]-]*): (.*)$/s;
const placed = / \(line (\d+), column (\d+)\)$/;

/** A detail of a refusal: `path: message (line 1, column 2)`. */
export const errorOf = (text: string): RecordDiagnostic => {
  const [, path = "", message = text] = detail.exec(text) ?? [];
  const place = placed.exec(message);
  return {
    severity: "error",
    path,
    text: place === null ? message : message.slice(0, place.index),
    place: place === null ? undefined : { line: Number(place[1]), column: Number(place[2]) },
    code: undefined,
    statement: undefined,
  };
};

const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const warningOf = (warning: Validation["warnings"][number]): RecordDiagnostic => {
  const { line, column } = warning;
  return {
    severity: "warning",
    path: stringOf(warning["path"]) ?? "",
    text: stringOf(warning["text"]) ?? JSON.stringify(warning),
    place: typeof line === "number" && typeof column === "number" ? { line, column } : undefined,
    code: stringOf(warning["code"]),
    statement: stringOf(warning["statement"]),
  };
};

/** A refusal of the text; undefined for any other error. */
export const refusalOf = (error: unknown): readonly RecordDiagnostic[] | undefined => {
  if (!(error instanceof IkgError) || (error.status !== 422 && error.status !== 400)) return undefined;
  return error.errors.length === 0 ? [errorOf(error.summary)] : error.errors.map(errorOf);
};

/** The first error at a path, or below it. */
export const errorAt = (diagnostics: readonly RecordDiagnostic[], path: string): string | undefined =>
  diagnostics.find((each) => each.severity === "error" && each.path.startsWith(path))?.text;

const jsonString = /"(?:[^"\\]|\\.)*"/y;

/** Undefined for what holds no string: the text may have been changed since it was checked. */
const stringOfLiteral = (literal: string): string | undefined => {
  try {
    return String(JSON.parse(literal));
  } catch {
    return undefined;
  }
};

/** A place within a string of JSON: exact where its escapes are the usual ones. */
const placeInString = (json: string, start: TextPosition, within: TextPosition): TextPosition => {
  jsonString.lastIndex = offsetOf(json, start);
  const [literal = ""] = jsonString.exec(json) ?? [];
  const text = stringOfLiteral(literal);
  if (text === undefined) return start;
  const before = JSON.stringify(text.slice(0, offsetOf(text, within))).length - 1;
  return { line: start.line, column: start.column + Math.min(before, literal.length - 1) };
};

/**
 * Diagnostics of a text of JSON, at the place of the value that each is about, and within a string at its place there.
 *
 * @param root the member of the record that the text is, as `query`.
 */
export const placedInJson = (
  json: string,
  root: string,
  diagnostics: readonly RecordDiagnostic[],
): readonly RecordDiagnostic[] =>
  diagnostics.map((each) => {
    const start = each.path.split(/[.[]/)[0] === root ? placeInJson(json, each.path) : undefined;
    if (start === undefined) return each;
    return { ...each, place: each.place === undefined ? start : placeInString(json, start, each.place) };
  });

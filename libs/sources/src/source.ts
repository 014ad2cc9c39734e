import { type Document, isMap, isScalar, LineCounter, type Node, parseAllDocuments, type Scalar } from "yaml";
import type { DiagnosticList, Place } from "./diagnostic.ts";

type Path = readonly PropertyKey[];

/** A parsed YAML or JSON file, with the positions of its parts. */
export interface Source {
  readonly file: string;
  readonly value: unknown;
  /** Position of the value at a path, or of its nearest existing ancestor. */
  placeOf(path: Path): Place;
  /** Position of a key of the map at a path. */
  placeOfKey(path: Path, key: string): Place;
  /** Position inside the text at a path; `line` and `column` count from 1 in that text. */
  placeInText(path: Path, line: number, column: number): Place;
}

/**
 * The characters before the content of a line of a block scalar, whose first line comes after its header.
 *
 * @param header offset of the header.
 * @param line counts from 1.
 */
const blockIndent = (text: string, header: number, line: number): number => {
  const lines = text.slice(header).split("\n").slice(1);
  const first = lines.find((each) => each.trim() !== "") ?? "";
  const length = lines[line - 1]?.length ?? 0;
  return Math.min(first.length - first.trimStart().length, length);
};

const places = (
  file: string,
  text: string,
  quoted: ReadonlySet<number>,
  document: Document,
  counter: LineCounter,
) => {
  const at = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { file, line, column: col };
  };
  const nodeAt = (path: Path): Node | undefined => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length).map(String), true);
      const found = length === 0 ? document.contents : node;
      if (found !== null && typeof found === "object" && "range" in found) return found as Node; // a node of the document
    }
    return undefined;
  };
  const placeOf = (path: Path): Place => at(nodeAt(path)?.range?.[0] ?? 0);
  const placeInScalar = (scalar: Scalar, line: number, column: number): Place => {
    const [start = 0] = scalar.range ?? [];
    const { file: _file, ...begin } = at(start);
    if (scalar.type === "BLOCK_LITERAL")
      return { file, line: begin.line + line, column: blockIndent(text, start, line) + column };
    const isOneLine = !text.slice(start, scalar.range?.[1]).includes("\n");
    if (line > 1 || !isOneLine) return { file, ...begin };
    const quote = scalar.type === "PLAIN" || quoted.has(start) ? 0 : 1;
    return { file, line: begin.line, column: begin.column + quote + column - 1 };
  };
  return {
    placeOf,
    placeOfKey: (path: Path, key: string): Place => {
      const node = nodeAt(path);
      const pair = isMap(node)
        ? node.items.find((each) => isScalar(each.key) && String(each.key.value) === key)
        : undefined;
      return isScalar(pair?.key) ? at(pair.key.range?.[0] ?? 0) : placeOf(path);
    },
    placeInText: (path: Path, line: number, column: number): Place => {
      const node: unknown = document.getIn(path.map(String), true);
      return isScalar(node) ? placeInScalar(node, line, column) : placeOf(path);
    },
  };
};

/**
 * Parses the text of a file. Undefined for invalid YAML, with the errors added to `faults`.
 *
 * @param quoted offsets of opening quotes that the file itself does not have
 */
export const readSource = (
  file: string,
  text: string,
  faults: DiagnosticList,
  quoted: ReadonlySet<number> = new Set(),
): Source | undefined => {
  const counter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: counter, prettyErrors: false });
  if ("empty" in documents) {
    faults.add({ file, line: 1, column: 1 }, "the file is empty");
    return undefined;
  }
  const [document, second] = documents;
  for (const { message, pos } of documents.flatMap(({ errors }) => errors)) {
    const { line, col } = counter.linePos(pos[0]);
    faults.add({ file, line, column: col }, message);
  }
  if (document === undefined || documents.some(({ errors }) => errors.length > 0)) return undefined;
  const found = places(file, text, quoted, document, counter);
  if (second !== undefined) {
    const { line, col } = counter.linePos(second.range[0]);
    faults.add({ file, line, column: col }, "one YAML document expected");
    return undefined;
  }
  try {
    return { file, value: document.toJS() as unknown, ...found };
  } catch (error) {
    faults.add({ file, line: 1, column: 1 }, error instanceof Error ? error.message : String(error));
    return undefined;
  }
};

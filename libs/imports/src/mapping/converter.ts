import type { Row } from "../tables/row.ts";
import { columnsOf } from "./column.ts";
import { compileNode } from "./compile-node.ts";
import { compileRelationship } from "./compile-relationship.ts";
import { lineKinds, type LineKind, type LineOf } from "./line-of.ts";
import { MappingFault, withPath } from "./mapping-fault.ts";
import { probeNode, probeRelationship } from "./probe.ts";
import type { FileMapping } from "./schema.ts";

/** A line of an import, or the reasons why the row cannot be converted. */
export type ConversionResult = { readonly text: string } | { readonly errors: readonly string[] };

/** Converts rows of one file to lines of an import. */
export interface Converter {
  /** Kinds of lines that the converter may return. */
  readonly kinds: ReadonlySet<LineKind>;
  /** Converts a row to its lines of one kind. */
  linesOf(kind: LineKind, row: Row): readonly ConversionResult[];
}

/** The columns of a file, before its rows are read. */
export interface FileColumns {
  readonly columns: readonly string[] | undefined;
  readonly areObjects: boolean;
}

const convertRow = (lineOf: LineOf, { cells }: Row): ConversionResult | undefined => {
  let errors: string[] | undefined;
  const line = lineOf(cells, (message) => void (errors ??= []).push(message));
  if (errors !== undefined) return { errors };
  return line === undefined ? undefined : { text: JSON.stringify(line) };
};

/** All faults of a section. */
export class MappingFaults extends Error {
  override readonly name = "MappingFaults";
  readonly all: readonly MappingFault[];

  constructor(all: readonly MappingFault[]) {
    super(all.map(({ message }) => message).join("; "));
    this.all = all;
  }
}

/** @throws MappingFaults if the section does not match the columns of the file. */
export const compileMapping = (
  { nodes = [], relationships = [], empty = [] }: FileMapping,
  file: FileColumns,
): Converter => {
  const columnOf = columnsOf(file.columns, { areObjects: file.areObjects, empty });
  const faults: MappingFault[] = [];
  const compiled = (path: readonly PropertyKey[], compile: () => LineOf): readonly LineOf[] => {
    try {
      return [withPath(path, compile)];
    } catch (error) {
      if (!(error instanceof MappingFault)) throw error;
      faults.push(error);
      return [];
    }
  };
  const lines: Readonly<Record<LineKind, readonly LineOf[]>> = {
    node: nodes.flatMap((each, at) =>
      compiled(["nodes", at], () => {
        probeNode(each);
        return compileNode(each, columnOf);
      }),
    ),
    relationship: relationships.flatMap((each, at) =>
      compiled(["relationships", at], () => {
        probeRelationship(each);
        return compileRelationship(each, columnOf);
      }),
    ),
  };
  if (faults.length > 0) throw new MappingFaults(faults);
  const kinds = lineKinds.filter((kind) => lines[kind].length > 0);
  return {
    kinds: new Set(kinds),
    linesOf: (kind, row) =>
      lines[kind].map((lineOf) => convertRow(lineOf, row)).filter((each) => each !== undefined),
  };
};

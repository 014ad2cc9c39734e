import { CompleteLine } from "@ikg/contracts/capture";
import { tryParseJson } from "@ikg/contracts/values";
import type { Converter } from "../mapping/converter.ts";
import { type LineKind, lineKinds } from "../mapping/line-of.ts";
import type { Mapping, Section } from "../mapping/read-mapping.ts";
import { InputFault, MappingRequired } from "../input-fault.ts";
import { plainName } from "../tables/format.ts";
import { openTable } from "../tables/open-table.ts";
import type { ReadOptions, Table, TableFile } from "../tables/table.ts";

/** A file and its section of the mapping; undefined for a file that holds lines of an import. */
interface PlannedFile {
  readonly file: TableFile;
  readonly section: Section | undefined;
}

export interface OpenedFile {
  readonly file: TableFile;
  readonly table: Table;
  readonly converter: Converter;
}

/** The passes over the files: all files are read for their nodes, and again for their relationships. */
export interface ImportPlan {
  readonly files: readonly TableFile[];
  readonly passes: readonly LineKind[];
  open(at: number, options: Pick<ReadOptions, "hasDetails" | "onBytes">): Promise<OpenedFile>;
}

const sectionFor = ({ name, format }: TableFile, mapping: Mapping | undefined): Section | undefined => {
  const section = mapping?.sectionOf(name === "standard input" ? "-" : plainName(name));
  if (section !== undefined || format === "ndjson") return section;
  if (mapping === undefined) throw new MappingRequired(`${name} needs a mapping`);
  throw new InputFault(`the mapping has no section for ${name}; it has: ${mapping.patterns.join(", ")}`);
};

/** The last line of an export is not sent: a job with that line alone would be refused as empty. */
const isEndOfExport = (text: string): boolean =>
  /^\s*\{\s*"complete"/.test(text) && CompleteLine.safeParse(tryParseJson(text)).success;

/** Every other line has exactly one kind, so that it is sent once. The suite reports what is wrong with it. */
const kindOf = (text: string): LineKind | undefined => {
  if (/^\s*\{\s*"node"/.test(text)) return "node";
  return isEndOfExport(text) ? undefined : "relationship";
};

/** Passes lines through unchanged, for files that hold lines of an import. */
const passThroughConverter: Converter = {
  kinds: new Set(lineKinds),
  linesOf: (kind, { text = "" }) => (kindOf(text) === kind ? [{ text }] : []),
};

const open = async (
  { file, section }: PlannedFile,
  options: Pick<ReadOptions, "hasDetails" | "onBytes">,
): Promise<OpenedFile> => {
  const { columns, delimiter, quote, encoding } = section?.mapping ?? {};
  const table = await openTable(file, {
    columns,
    delimiter,
    quote,
    encoding,
    ...options,
    isText: section === undefined,
  });
  try {
    return { file, table, converter: section?.compile(table) ?? passThroughConverter };
  } catch (error) {
    await table.close();
    throw error;
  }
};

/**
 * Opens every file once, so that nothing is sent if the mapping does not match one of them.
 *
 * @throws InputFault with the positions of the errors in the mapping.
 */
export const planImport = async (
  files: readonly TableFile[],
  mapping: Mapping | undefined,
): Promise<ImportPlan> => {
  const planned = files.map((file): PlannedFile => ({ file, section: sectionFor(file, mapping) }));
  const kinds = new Set<LineKind>();
  for (const each of planned) {
    const { table, converter } = await open(each, {});
    await table.close();
    for (const kind of converter.kinds) kinds.add(kind);
  }
  return {
    files,
    passes: lineKinds.filter((kind) => kinds.has(kind)),
    open: (at, options) => {
      const file = planned[at];
      if (file === undefined) throw new RangeError(`there is no file ${at}`);
      return open(file, options);
    },
  };
};

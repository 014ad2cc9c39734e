import type { Info, Parser } from "#csv-parse";
import { InputFault } from "../input-fault.ts";
import { fileText } from "./file-text.ts";
import type { Row } from "./row.ts";
import type { ReadOptions, Table, TableFile } from "./table.ts";

/** Maximum characters of a record: an unclosed quote must not read the rest of a file into memory. */
const maxRecordCharacters = 1024 * 1024;

/** A record, with its text and position if details are requested. */
type ParsedRecord =
  | readonly string[]
  | { readonly record: readonly string[]; readonly raw: string; readonly info: Info };

const recordOf = (parsed: ParsedRecord): readonly string[] => ("record" in parsed ? parsed.record : parsed);

const openParser = async (
  { format }: TableFile,
  { delimiter, quote, hasDetails = false }: ReadOptions,
): Promise<Parser> => {
  const { parse } = await import("#csv-parse");
  return parse({
    delimiter: delimiter ?? (format === "tsv" ? "\t" : ","),
    quote: quote ?? '"',
    // Checked for each row.
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordCharacters,
    raw: hasDetails,
    info: hasDetails,
  });
};

/**
 * Records in the batches in which they are parsed, with backpressure. The parser gets one piece of text at a time, and all
 * records of it are read before it gets the next.
 */
const recordsOf = async function* (
  file: TableFile,
  options: ReadOptions,
): AsyncGenerator<readonly ParsedRecord[], void, undefined> {
  const parser = await openParser(file, options);
  let failure: Error | undefined;
  const onError = (error: Error): void => void (failure ??= error);
  parser.on("error", onError);
  const parsed = async (feed: (done: () => void) => void): Promise<readonly ParsedRecord[]> => {
    const records: ParsedRecord[] = [];
    const take = (): void => {
      for (let next: unknown; (next = parser.read()) !== null;) records.push(next as ParsedRecord); // the type follows from the options
    };
    await new Promise<void>((resolve) => {
      parser.once("error", () => resolve());
      feed(() => resolve());
      // A full parser accepts the next piece only after records have been read from it.
      take();
    });
    parser.removeAllListeners("error").on("error", onError);
    if (failure !== undefined) throw new InputFault(`${file.name}: ${failure.message}`);
    take();
    return records;
  };
  try {
    for await (const text of fileText(file, options.encoding ?? "utf-8", options.onBytes)) {
      const records = await parsed((done) => void parser.write(text, done));
      if (records.length > 0) yield records;
    }
    const last = await parsed((done) => void parser.end(done));
    if (last.length > 0) yield last;
  } finally {
    // The parser for browsers has no `destroy`.
    (parser as Partial<Parser>).destroy?.call(parser);
  }
};

const refuseRepeated = (columns: readonly string[], { name }: TableFile): readonly string[] => {
  const repeated = columns.find((each, at) => columns.indexOf(each) !== at);
  if (repeated === undefined) return columns;
  throw new InputFault(`${name}: duplicate column name ${JSON.stringify(repeated)}`);
};

/** Reads CSV (RFC 4180) and TSV. The first line has the column names unless the options have them. */
export const readDelimited = async (file: TableFile, options: ReadOptions): Promise<Table> => {
  const records = recordsOf(file, options);
  let first: readonly ParsedRecord[] = (await records.next()).value ?? [];
  let columns = options.columns;
  if (columns === undefined) {
    const [header, ...rest] = first;
    if (header === undefined) throw new InputFault(`${file.name} is empty; a header line expected`);
    columns = recordOf(header).map((each) => each.trim());
    first = rest;
  }
  const width = refuseRepeated(columns, file).length;
  let count = 0;
  const rowOf = (parsed: ParsedRecord): Row => {
    const cells = recordOf(parsed);
    count += 1;
    const row = { number: count, cells };
    const fault =
      cells.length === width ? undefined : `${cells.length} cells; ${width} expected, one per column`;
    if (!("raw" in parsed)) return fault === undefined ? row : { ...row, fault };
    const text = parsed.raw.replaceAll(/^[\r\n]+|[\r\n]+$/g, "");
    // `info.lines` is the line on which the record ends.
    return { ...row, fault, text, line: parsed.info.lines - (text.match(/\n/g)?.length ?? 0) };
  };
  return {
    columns,
    areObjects: false,
    close: async () => void (await records.return()),
    batches: async function* batches() {
      try {
        if (first.length > 0) yield first.map(rowOf);
        first = [];
        for await (const each of records) yield each.map(rowOf);
      } finally {
        await records.return();
      }
    },
  };
};

import type { Info, Parser } from "#csv-parse";
import { InputFault } from "../input-fault.ts";
import { fileText } from "./file-text.ts";
import type { Row } from "./row.ts";
import type { ReadOptions, Table, TableFile } from "./table.ts";

/** Characters of a record at most: a quote that is not closed must not take the rest of a file into memory. */
const longestRecord = 1024 * 1024;

/** A record, with its text and its place if they are wanted. */
type Parsed =
  | readonly string[]
  | { readonly record: readonly string[]; readonly raw: string; readonly info: Info };

const recordOf = (parsed: Parsed): readonly string[] => ("record" in parsed ? parsed.record : parsed);

const openParser = async (
  { format }: TableFile,
  { delimiter, quote, withDetails = false }: ReadOptions,
): Promise<Parser> => {
  const { parse } = await import("#csv-parse");
  return parse({
    delimiter: delimiter ?? (format === "tsv" ? "\t" : ","),
    quote: quote ?? '"',
    // Judged row by row.
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRecord,
    raw: withDetails,
    info: withDetails,
  });
};

/**
 * Records in the batches in which they are parsed, at the pace of their reader. The parser takes one piece of text at a time, and
 * is asked for all records of it before it takes the next.
 */
const recordsOf = async function* (
  file: TableFile,
  options: ReadOptions,
): AsyncGenerator<readonly Parsed[], void, undefined> {
  const parser = await openParser(file, options);
  let failure: Error | undefined;
  const onError = (error: Error): void => void (failure ??= error);
  parser.on("error", onError);
  const parsed = async (feed: (done: () => void) => void): Promise<readonly Parsed[]> => {
    const records: Parsed[] = [];
    const take = (): void => {
      for (let next: unknown; (next = parser.read()) !== null;) records.push(next as Parsed); // as its options say
    };
    await new Promise<void>((resolve) => {
      parser.once("error", () => resolve());
      feed(() => resolve());
      // A full parser takes the next piece only when records have been taken out of it.
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
    // That of browsers has nothing to free.
    (parser as Partial<Parser>).destroy?.call(parser);
  }
};

const refuseRepeated = (columns: readonly string[], { name }: TableFile): readonly string[] => {
  const repeated = columns.find((each, at) => columns.indexOf(each) !== at);
  if (repeated === undefined) return columns;
  throw new InputFault(`${name}: two columns are called ${JSON.stringify(repeated)}`);
};

/** CSV (RFC 4180) and TSV. The first line has the names of the columns, unless they are given. */
export const readDelimited = async (file: TableFile, options: ReadOptions): Promise<Table> => {
  const records = recordsOf(file, options);
  let first: readonly Parsed[] = (await records.next()).value ?? [];
  let columns = options.columns;
  if (columns === undefined) {
    const [header, ...rest] = first;
    if (header === undefined)
      throw new InputFault(`${file.name} is empty; a line with the names of columns expected`);
    columns = recordOf(header).map((each) => each.trim());
    first = rest;
  }
  const width = refuseRepeated(columns, file).length;
  let count = 0;
  const rowOf = (parsed: Parsed): Row => {
    const cells = recordOf(parsed);
    count += 1;
    const row = { number: count, cells };
    const fault = cells.length === width ? undefined : `${cells.length} cells; there are ${width} columns`;
    if (!("raw" in parsed)) return fault === undefined ? row : { ...row, fault };
    const text = parsed.raw.replaceAll(/^[\r\n]+|[\r\n]+$/g, "");
    // The record ends on this line, and may have begun before it.
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

import type { Ikg, QueryPage, ResultRow, RowPage } from "@ikg/client";
import { openApplication } from "../../connection/clients.ts";
import { readSecret } from "../../connection/read-secret.ts";
import { queryTree } from "../../explain/query.ts";
import { treeText } from "../../explain/tree.ts";
import { addLimit, limitItems, type SearchLimit } from "../../input/search-options.ts";
import { collectValues, type Values } from "../../input/value.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import type { Column } from "../../output/print.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";

interface Options extends SearchLimit {
  readonly param?: Values;
  readonly token?: string;
  readonly explain?: true;
  readonly write?: true;
  readonly pageSize?: number;
}

type Call = Invocation<[string], Options>;

const openClient = async (call: Call): Promise<Pick<Ikg, "query" | "execute">> => {
  const ikg = await openApplication(call);
  const { token } = call.options;
  return token === undefined ? ikg : ikg.withToken(await readSecret(token, call.environment));
};

/** The values of a row by path. */
const valuesOf = ({ nodes, relationships, aggregate_values }: ResultRow): Values => ({
  ...nodes,
  ...relationships,
  ...aggregate_values,
});

/** All rows of a query have the same paths. */
const columnsOf = (rows: readonly ResultRow[]): readonly Column<ResultRow>[] =>
  [...new Set(rows.flatMap((row) => Object.keys(valuesOf(row))))].map((path) => ({
    header: path,
    value: (row) => valuesOf(row)[path],
  }));

const warn = ({ environment }: Call, errors: NonNullable<QueryPage["errors"]>): void => {
  for (const { row, path, resolver, reason } of errors)
    environment.error(`warning: row ${row} of the page has no ${path}: ${reason} (resolver ${resolver})\n`);
};

/** Of a query that writes only the first page can be read, because a further one would execute it again. */
const warnOfMore = ({ environment }: Call, count: number): void =>
  environment.error(
    `warning: there may be more rows than the ${count} shown: a query that writes is executed once; everything was written\n`,
  );

/** A query that writes is executed once, and has one page. */
const pagesOf = async function* (call: Call): AsyncGenerator<RowPage<ResultRow>, void, undefined> {
  const { args, options } = call;
  const [name] = args;
  const { param = {}, explain, write, limit = Infinity } = options;
  const pageSize = Math.min(limit, options.pageSize ?? 1_000);
  const client = await openClient(call);
  if (write !== true) {
    yield* client.query(name, param, { explain, pageSize }).pages();
    return;
  }
  const result = await client.execute(name, param, { explain, pageSize });
  const { data, errors = [], explanation, next_page_token: next } = result;
  const isCut = next !== undefined || data.length >= pageSize;
  if (isCut && data.length < limit) warnOfMore(call, data.length);
  yield { items: data, errors, explanation, isLast: true };
};

const rowsOf = async function* (
  call: Call,
  first: RowPage<ResultRow>,
  rest: AsyncGenerator<RowPage<ResultRow>, void, undefined>,
): AsyncGenerator<ResultRow, void, undefined> {
  for (let page: RowPage<ResultRow> | undefined = first; page !== undefined;) {
    warn(call, page.errors);
    yield* page.items;
    const next = await rest.next();
    page = next.value ?? undefined;
  }
};

/** `ikg query`: rows of a stored query. */
export const command: CommandModule<[string], Options> = {
  description: [
    "Requests all pages. The query is executed as the application agent, or as a signed-in user with --token. The formats json, yaml and ndjson contain the rows as returned by the API; table and csv have a column for each path.",
    "A query that writes requires --write and is sent only once, so that one page of its rows is shown, with a warning if there may be more. The first page of other queries is retried only if it was certainly not executed; further pages are also retried after a lost connection.",
  ],
  examples: [
    { purpose: "Rows as a table", command: "ikg query rated-pilots -p model=dc3" },
    { purpose: "CSV for a spreadsheet", command: "ikg query rated-pilots -p model=dc3 -o csv > pilots.csv" },
    {
      purpose: "One row per line, for jq",
      command: "ikg query rated-pilots -p model=dc3 -o ndjson | jq -c .nodes",
    },
    { purpose: "How many rows each filter leaves", command: "ikg query rated-pilots -p model=dc3 --explain" },
  ],
  configure: (command) =>
    void addLimit(
      command
        .argument("<name>", "name or gid of the query")
        .option(
          "-p, --param <name=value>",
          "input parameter of the query; repeatable; the value is parsed as JSON if possible, otherwise it is text",
          collectValues,
        )
        .option("--token <file>", "file with the access token of a signed-in user; - for standard input")
        .option("--explain", "explain the result (requires the permission ReadAuthZConfigs)")
        .option("--write", "allow a query that writes; it is sent once and not retried")
        .option("--page-size <rows>", "rows per request", wholeNumber(1, 1_000)),
    ),
  run: async (call) => {
    const { options, print, environment } = call;
    const pages = pagesOf(call);
    const first = (await pages.next()).value;
    if (first === undefined) return;
    const rows = limitItems(rowsOf(call, first, pages), options.limit);
    const { explanation } = first;
    if (explanation === undefined || print.format === "csv" || print.format === "ndjson") {
      await print.rows(rows, columnsOf(first.items), { none: "No rows." });
      return;
    }
    if (print.format !== "table") {
      const data: ResultRow[] = [];
      for await (const row of rows) data.push(row);
      await print.text("", { data, explanation });
      return;
    }
    await print.rows(rows, columnsOf(first.items), { none: "No rows." });
    environment.out(`\n${treeText(queryTree(explanation))}`);
  },
};

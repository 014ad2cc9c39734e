import { Ikg, IkgError, type QueryExplanation, type ResultRow, type RowPage } from "@ikg/client";
import { nextPage } from "../../../queries/next-page.ts";
import { baseUrl } from "../../../session/base-url.ts";

/** What a query is run with. */
export interface RunRequest {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether the stored query writes: then it is sent once, and never again. */
  readonly writes: boolean;
}

export interface RunCredentials {
  readonly key: string;
  /** Of the person; undefined: the query runs as the application. */
  readonly token: string | undefined;
}

type ResultPage = Pick<RowPage<ResultRow>, "items" | "errors" | "explanation">;

export type RowPages = AsyncGenerator<RowPage<ResultRow>, void, undefined>;

/** Rows of a query as far as they are read. */
export interface RowsSoFar {
  readonly rows: readonly ResultRow[];
  /** External values that are missing; `row` counts among all of the rows. */
  readonly errors: ResultPage["errors"];
  /** Undefined: that was all. */
  readonly next: RowPages | undefined;
}

/** What a query answered. */
export interface RunResult {
  readonly request: RunRequest;
  readonly credentials: RunCredentials;
  readonly found: RowsSoFar;
  /** Of the first page. */
  readonly explanation: QueryExplanation | undefined;
  /** Milliseconds since 1970, by the clock of the browser. */
  readonly at: number;
}

const pageSize = 100;

const noRows: RowsSoFar = { rows: [], errors: [], next: undefined };

const withPage = (
  before: RowsSoFar,
  { items, errors }: ResultPage,
  next: RowPages | undefined,
): RowsSoFar => ({
  rows: [...before.rows, ...items],
  errors: [...before.errors, ...errors.map((each) => ({ ...each, row: each.row + before.rows.length }))],
  next,
});

/** Reads the next page. @throws IkgError, IkgUnreachable */
export const readMore = async (pages: RowPages, before: RowsSoFar): Promise<RowsSoFar> => {
  const page = await nextPage(pages);
  if (page === undefined) return { ...before, next: undefined };
  return withPage(before, page, page.isLast ? undefined : pages);
};

/** A result with its next page. The result of a later run stays as it is: it has other rows than those before the page. */
export const withFound = (
  result: RunResult | undefined,
  before: RowsSoFar,
  found: RowsSoFar,
): RunResult | undefined => (result?.found === before ? { ...result, found } : result);

const once = async (
  { name, params, writes }: RunRequest,
  { key, token }: RunCredentials,
  explain: boolean,
): Promise<Pick<RunResult, "found" | "explanation">> => {
  const ikg = new Ikg({ baseUrl: baseUrl(), clientKey: key, timeoutMs: 60_000 });
  const caller = token === undefined ? ikg : ikg.withToken(token);
  if (writes) {
    const { data, errors = [], explanation } = await caller.execute(name, params, { explain });
    return { found: withPage(noRows, { items: data, errors, explanation }, undefined), explanation };
  }
  const pages = caller.query(name, params, { explain, pageSize }).pages();
  const { value: first } = await pages.next();
  if (first === undefined) return { found: noRows, explanation: undefined };
  return { found: withPage(noRows, first, first.isLast ? undefined : pages), explanation: first.explanation };
};

/** Runs a stored query with an explanation, or without where the key may not read one: that is refused before anything runs. */
export const runQuery = async (request: RunRequest, credentials: RunCredentials): Promise<RunResult> => {
  const at = Date.now();
  try {
    return { request, credentials, at, ...(await once(request, credentials, true)) };
  } catch (error) {
    if (!(error instanceof IkgError) || error.code !== "permission_missing") throw error;
    return { request, credentials, at, ...(await once(request, credentials, false)) };
  }
};

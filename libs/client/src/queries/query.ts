import { callDataPlane, type DataPlane, writeInTurn } from "../data-plane.ts";
import type { QueryExplanation, QueryPage, ResultRow } from "../contract/wire.ts";
import { IkgUnreachable } from "../errors/ikg-unreachable.ts";
import { Pages } from "../pages.ts";
import type { CallOptions } from "../transport/options.ts";
import { requireList } from "../transport/require-list.ts";

export type QueryParams = Readonly<Record<string, unknown>>;

export interface QueryOptions extends CallOptions {
  /** Rows of one request, 100 by default and 1,000 at most. */
  readonly pageSize?: number | undefined;
  /** Bytes of one page at most, where fewer than the project's limit are wanted. */
  readonly pageBytes?: number | undefined;
  /** The explanation of the result, on each page. */
  readonly explain?: boolean | undefined;
}

export interface RowsOptions extends QueryOptions {
  /**
   * True: the query reads, or may be executed twice, so that also its first page is requested again after a connection
   * that was lost. The client cannot know what a stored query does before it has answered.
   */
  readonly idempotent?: boolean | undefined;
}

export interface RowPage<Row> {
  readonly items: readonly Row[];
  /** External values that are missing; `row` counts in this page. */
  readonly errors: NonNullable<QueryPage["errors"]>;
  readonly explanation?: QueryExplanation | undefined;
  /** False: another page follows, which may be empty. */
  readonly isLast: boolean;
}

const defaultPageSize = 100;

interface Request {
  readonly id: string;
  readonly params: QueryParams;
  readonly pageToken?: number | undefined;
  readonly idempotent: boolean;
  readonly repeatUnexecuted?: boolean | undefined;
}

/** Requests one page. */
const execute = async (
  plane: DataPlane,
  { id, params, pageToken, idempotent, repeatUnexecuted }: Request,
  { pageSize, pageBytes, explain, signal, timeoutMs }: QueryOptions,
): Promise<{ readonly page: QueryPage; readonly hasWritten: boolean }> => {
  const json = {
    id,
    input_params: params,
    ...(pageSize !== undefined && { page_size: pageSize }),
    ...(pageBytes !== undefined && { page_bytes: pageBytes }),
    ...(pageToken !== undefined && { page_token: pageToken }),
  };
  const call = { path: "/ciq/v1/execute", json, idempotent, repeatUnexecuted, explain, signal, timeoutMs };
  const { headers, body } = await callDataPlane<QueryPage>(plane, call);
  requireList(body.data, "rows");
  return { page: body, hasWritten: headers.has("x-consistency-token") };
};

/** Executes a query that writes: once, and never again after a failure. */
export const executeOnce = async (
  plane: DataPlane,
  id: string,
  params: QueryParams = {},
  options: QueryOptions = {},
): Promise<QueryPage> => {
  const request = { id, params, idempotent: false };
  return (await writeInTurn(plane, options.signal, () => execute(plane, request, options))).page;
};

/**
 * The rows of a query that reads, page by page. A page that is full may be followed by another one, and so is a page that
 * says so because its rows were too large. What has written is not executed again: not for a further page, and not after a
 * failure of the first page that could follow a write. That page shows whether the query writes.
 */
export const query = <Row = ResultRow>(
  plane: DataPlane,
  id: string,
  params: QueryParams = {},
  options: RowsOptions = {},
): Pages<Row, RowPage<Row>> =>
  new Pages(async function* pages() {
    const { pageSize = 0, idempotent = false } = options;
    const fullPage = pageSize > 0 ? pageSize : defaultPageSize;
    let offset = 0;
    let pageToken: number | undefined;
    do {
      const isKnownToRead = idempotent || pageToken !== undefined;
      const request = { id, params, pageToken, idempotent: isKnownToRead, repeatUnexecuted: true };
      const { page, hasWritten } = await execute(plane, request, options);
      offset += page.data.length;
      const next = page.next_page_token ?? (page.data.length >= fullPage ? offset : undefined);
      const isLast = hasWritten || next === undefined;
      yield {
        items: page.data as unknown as readonly Row[], // the caller names the type of its query's rows
        errors: page.errors ?? [],
        explanation: page.explanation,
        isLast,
      };
      if (!isLast && next === pageToken)
        throw new IkgUnreachable(
          "invalid_response",
          `the next page token of the query ${id} repeats the current one`,
        );
      pageToken = isLast ? undefined : next;
    } while (pageToken !== undefined);
  });

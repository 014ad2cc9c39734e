import { callDataPlane, type DataPlane } from "./data-plane.ts";
import type { Identity, QueryPage, ResultRow } from "./contract/wire.ts";
import type { Pages } from "./pages.ts";
import {
  executeOnce,
  query,
  type QueryOptions,
  type QueryParams,
  type RowPage,
  type RowsOptions,
} from "./queries/query.ts";
import type { CallOptions } from "./transport/options.ts";

/** Stored queries of the user of a token: what `ikg.withToken(token)` returns. */
export class SignedIn {
  readonly #plane: DataPlane;

  constructor(plane: DataPlane) {
    this.#plane = plane;
  }

  /** Rows of a stored query that reads, executed with the token of this person. */
  query<Row = ResultRow>(id: string, params?: QueryParams, options?: RowsOptions): Pages<Row, RowPage<Row>> {
    return query<Row>(this.#plane, id, params, options);
  }

  /** Executes a stored query that writes: once, and never again after a failure. */
  execute(id: string, params?: QueryParams, options?: QueryOptions): Promise<QueryPage> {
    return executeOnce(this.#plane, id, params, options);
  }

  /** The node that the token stands for. */
  async whoami({ signal, timeoutMs }: CallOptions = {}): Promise<Identity> {
    const call = { method: "GET", path: "/ciq/v1/whoami", idempotent: true, signal, timeoutMs } as const;
    return (await callDataPlane<Identity>(this.#plane, call)).body;
  }
}

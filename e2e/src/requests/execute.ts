import type { ExecuteResponse, ResultRow } from "@ikg/contracts";
import { openQueries } from "./clients.ts";
import { type Credentials, withKey } from "./data-plane.ts";
import { must } from "./must.ts";
import { retryUnavailable } from "./retry-unavailable.ts";
import type { Answer } from "./send.ts";

export interface Execution {
  /** Id or name of the query. */
  readonly id: string;
  readonly input_params?: Readonly<Record<string, unknown>>;
  readonly page_size?: number;
}

/** Of one page. */
export interface PageExecution extends Execution {
  readonly page_token?: number;
}

/** Asks POST /ciq/v1/execute. */
export const tryExecute = (execution: PageExecution, by: Credentials): Promise<Answer> =>
  withKey("/ciq/v1/execute", by, { json: execution });

/** One page of a query that must run. */
export const executePage = async (execution: PageExecution, by: Credentials): Promise<readonly ResultRow[]> =>
  must<ExecuteResponse>(await retryUnavailable(() => tryExecute(execution, by)), 200).data;

/** The rows of a query that must run: all, or those that a query that writes answers. */
export const execute = (
  { id, input_params, page_size: pageSize }: Execution,
  by: Credentials,
): Promise<readonly ResultRow[]> => openQueries(by).query(id, input_params, { pageSize }).toArray();

import type { ExecuteResponse, ResultRow } from "@ikg/contracts";
import { type Credentials, withKey } from "./data-plane.ts";
import { must } from "./must.ts";
import { retryUnavailable } from "./retry-unavailable.ts";
import type { Answer } from "./send.ts";

export interface Execution {
  /** Id or name of the query. */
  readonly id: string;
  readonly input_params?: Readonly<Record<string, unknown>>;
  readonly page_size?: number;
  readonly page_token?: number;
}

/** Asks POST /ciq/v1/execute. */
export const tryExecute = (execution: Execution, by: Credentials): Promise<Answer> =>
  withKey("/ciq/v1/execute", by, { json: execution });

/** The rows of a query that must run. */
export const execute = async (execution: Execution, by: Credentials): Promise<readonly ResultRow[]> =>
  must<ExecuteResponse>(await retryUnavailable(() => tryExecute(execution, by)), 200).data;

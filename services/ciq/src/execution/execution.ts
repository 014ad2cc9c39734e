import type { Introspection } from "@ikg/auth";
import type { Catalog } from "@ikg/catalog";
import type { AgentCaller, ExecuteRequest, Gid } from "@ikg/contracts";
import type { Graph, StatementOptions } from "@ikg/graph";
import type { Names } from "@ikg/graph-names";
import type { ElementIds } from "@ikg/query-rows";
import type { JsonText, SharedBudget, Tracing } from "@ikg/service";
import type { Resolvers } from "../resolvers/resolve.ts";
import type { ExecutionListener } from "./listener.ts";
import type { RowSizes } from "./row-sizes.ts";

/** One call of the endpoint. */
export interface Execution {
  readonly caller: AgentCaller;
  readonly bearer: string | undefined;
  readonly request: ExecuteRequest;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** The state that a read must see, and a callback for the state after a write. */
  readonly consistency?: Pick<StatementOptions, "after" | "onCommit">;
  /** `page_token` is the number of a page, from 1, and not the number of rows to skip. */
  readonly countsPages?: boolean;
  /** The caller asks for an explanation, and has the permission. */
  readonly explain?: boolean;
  readonly listener?: ExecutionListener;
}

/** The answer of a query: an `ExecuteResponse` as text. */
export interface ExecutionAnswer {
  /** Rows of the page. */
  readonly rows: number;
  /** Holds memory until it is released. */
  readonly body: JsonText;
}

export type Execute = (execution: Execution) => Promise<ExecutionAnswer>;

/** Time limits in milliseconds. */
export interface Limits {
  readonly queryMs: number;
  readonly batchReadMs: number;
}

/** Parts that build answers. */
export interface AnswerParts {
  /** Shared by all executions of the process. */
  readonly memory: SharedBudget;
  readonly idsOf: (project: Gid) => ElementIds;
  readonly sizes: RowSizes;
}

export interface ExecuteParts {
  readonly graph: Graph;
  readonly catalog: Catalog;
  readonly introspection: Introspection;
  readonly limits: Limits;
  readonly answers: AnswerParts;
  readonly resolvers: Pick<Resolvers, "resolve" | "fieldsOf">;
  readonly names: Pick<Names, "reserve">;
  readonly tracing?: Pick<Tracing, "span">;
}

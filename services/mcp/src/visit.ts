import type { Token } from "@ikg/auth";
import type { McpEndpoint } from "./endpoint/mcp-endpoint.ts";

/** One call of a visit, as its record tells of it. */
export interface VisitCall {
  readonly method: string;
  readonly tool?: string | undefined;
  readonly outcome: "success" | "denied" | "failed";
}

/** One request that was let in: by whom, to what. */
export interface Visit {
  readonly door: McpEndpoint;
  readonly user: Token;
  readonly requestId: string;
  /** The client's address, as the gateway's signed context says it. */
  readonly address: string | undefined;
  /** Settles when there is a record of the look at the user's token: nothing is answered before. */
  readonly looked: Promise<void>;
  /** Leaves a record of a call; to be waited for before the call is answered. */
  readonly record: (call: VisitCall) => Promise<void>;
  /** Called back when the answer is sent or given up: what it held is free. */
  readonly onAnswered: (release: () => void) => void;
}

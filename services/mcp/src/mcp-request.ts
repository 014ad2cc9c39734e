import type { Token } from "@ikg/auth";
import type { McpEndpoint } from "./endpoint/mcp-endpoint.ts";

/** One call of an MCP request, as its audit record describes it. */
export interface RecordedCall {
  readonly method: string;
  readonly tool?: string | undefined;
  readonly outcome: "success" | "denied" | "failed";
}

/** One request with an accepted token: whose, and to which endpoint. */
export interface McpRequest {
  readonly endpoint: McpEndpoint;
  readonly user: Token;
  /** The token itself, which access and ciq verify as well. */
  readonly bearer: string;
  /** The gateway's signed context of the request: it shows them that this bearer came. */
  readonly origin: string;
  readonly requestId: string;
  /** The client's address, as the gateway's signed context says it. */
  readonly address: string | undefined;
  /** Settles when the introspection of the user's token is on record; nothing is answered before. */
  readonly introspectionRecorded: Promise<void>;
  /** Leaves a record of a call; to be waited for before the call is answered. */
  readonly record: (call: RecordedCall) => Promise<void>;
  /** Calls back when the answer is sent or given up, so that what it held can be freed. */
  readonly onAnswered: (release: () => void) => void;
}

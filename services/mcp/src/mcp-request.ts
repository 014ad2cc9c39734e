import type { Token } from "@ikg/auth";
import type { McpEndpoint } from "./endpoint/mcp-endpoint.ts";

/** One call of an MCP request, as its audit record describes it. */
export interface RecordedCall {
  readonly method: string;
  readonly tool?: string | undefined;
  readonly outcome: "success" | "denied" | "failed";
}

/** A request with an accepted token, its user and its endpoint. */
export interface McpRequest {
  readonly endpoint: McpEndpoint;
  readonly user: Token;
  /** The token itself, which access and ciq verify as well. */
  readonly bearer: string;
  /** The gateway's signed context of the request, which proves to them that this token was received. */
  readonly origin: string;
  readonly requestId: string;
  /** The client's address, as the gateway's signed context states it. */
  readonly address: string | undefined;
  /** Settles when the introspection of the user's token is recorded; no response is sent before. */
  readonly introspectionRecorded: Promise<void>;
  /** Writes the audit record of a call; to be awaited before the response is sent. */
  readonly record: (call: RecordedCall) => Promise<void>;
  /** Calls back when the response is sent or aborted, so that its memory can be released. */
  readonly onAnswered: (release: () => void) => void;
}

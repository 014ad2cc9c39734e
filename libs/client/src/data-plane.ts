import { callHeaders } from "./call-headers.ts";
import type { DecisionJoiner } from "./decisions/decision-joiner.ts";
import type { SessionState } from "./session-state.ts";
import type { CallOptions } from "./transport/options.ts";
import type { HttpResponse, Transport } from "./transport/transport.ts";

/** What calls of one client share, and on whose behalf they are made. */
export interface DataPlane {
  readonly transport: Transport;
  readonly joiner: DecisionJoiner;
  /** Decisions of the same turn are joined unless a call says otherwise. */
  readonly join: boolean;
  /** The signed-in person's token. */
  readonly bearer?: string | undefined;
  /** Of `session()`. */
  readonly session?: SessionState | undefined;
}

/** A call with a JSON body or none. */
export interface DataPlaneCall extends CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  /** JSON as text, instead of `json`. */
  readonly text?: string | undefined;
  readonly idempotent: boolean;
  readonly repeatUnexecuted?: boolean | undefined;
  /** `X-Explain`. */
  readonly explain?: boolean | undefined;
}

/** Sends a call; a session sends its token with it, and keeps the one of the response. */
export const callDataPlane = async <T>(plane: DataPlane, call: DataPlaneCall): Promise<HttpResponse<T>> => {
  const { transport, bearer, session } = plane;
  const { method = "POST", path, query, json, text, explain, signal, timeoutMs } = call;
  const headers = callHeaders({ bearer, consistencyToken: session?.token, explain });
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await transport.send<T>({
    method,
    path,
    query,
    headers,
    body,
    idempotent: call.idempotent,
    repeatUnexecuted: call.repeatUnexecuted,
    signal,
    timeoutMs,
  });
  session?.keep(response.headers);
  return response;
};

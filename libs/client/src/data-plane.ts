import { callHeaders } from "./call-headers.ts";
import type { DecisionJoiner } from "./decisions/decision-joiner.ts";
import type { SessionState } from "./session-state.ts";
import type { HttpRequest } from "./transport/request.ts";
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

/** A call with a JSON body or none; a POST by default. */
export interface DataPlaneCall extends Omit<HttpRequest, "method" | "headers" | "body"> {
  readonly method?: HttpRequest["method"];
  /** `X-Explain`. */
  readonly explain?: boolean | undefined;
}

/** Sends a call; a session sends its token with it, and keeps the one of the response. */
export const callDataPlane = async <T>(
  { transport, bearer, session }: DataPlane,
  { method = "POST", explain, ...request }: DataPlaneCall,
): Promise<HttpResponse<T>> => {
  const headers = callHeaders({ bearer, consistencyToken: session?.token, explain });
  const response = await transport.send<T>({ ...request, method, headers });
  session?.keep(response.headers);
  return response;
};

/** Runs a write of the graph: in a session after the writes before it. @param signal ends also the wait for its turn. */
export const writeInTurn = <T>(
  { session }: DataPlane,
  signal: AbortSignal | undefined,
  write: () => Promise<T>,
): Promise<T> => (session === undefined ? write() : session.inTurn(write, signal));

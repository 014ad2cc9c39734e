import type { IncomingMessage, ServerResponse } from "node:http";

/** Attributes of a span: never a claim, the id of a subject, or another value of a caller. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The traces of a process. Everything works the same when there are none. */
export interface Tracing {
  readonly isEnabled: boolean;
  /** Serves a request as a span, in the caller's trace if there is one (W3C Trace Context). */
  serve(request: IncomingMessage, response: ServerResponse, work: () => void): void;
  /** Runs work as a span of the current trace. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Adds a span of this duration that has just ended. */
  recordFinished(name: string, ms: number, attributes: Attributes): void;
  /** Runs a job as a span of the trace in which it was ordered, or of a new one. */
  job<T>(name: string, traceparent: string | undefined, work: () => Promise<T>): Promise<T>;
  /** The `traceparent` header by which another process continues the current trace; undefined without one. */
  traceparent(): string | undefined;
  /** Exports the remaining spans. */
  close(): Promise<void>;
}

export const noTracing: Tracing = {
  isEnabled: false,
  serve: (_request, _response, work) => work(),
  span: (_name, _attributes, work) => work(),
  recordFinished: () => undefined,
  job: (_name, _traceparent, work) => work(),
  traceparent: () => undefined,
  close: async () => undefined,
};

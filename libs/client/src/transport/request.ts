import type { CallOptions } from "./options.ts";

/** A body as `fetch` takes it. */
export type RequestBody = NonNullable<RequestInit["body"]>;

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** One call, whatever number of attempts it takes. */
export interface HttpRequest extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base address, with a slash in front. */
  readonly path: string;
  readonly query?: QueryValues | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** JSON as text, or another body with its `Content-Type` in `headers`. */
  readonly body?: RequestBody | undefined;
  /** A call that may be executed twice: it changes nothing, or comes to the same. */
  readonly idempotent: boolean;
  /** Repeats a call that is not idempotent where it certainly was not executed. */
  readonly repeatUnexecuted?: boolean | undefined;
}

/** The path with its query; parts without a value are left out. */
export const pathWithQuery = (path: string, query: QueryValues = {}): string => {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
};

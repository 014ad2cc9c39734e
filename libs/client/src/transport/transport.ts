import { attempt, type PreparedRequest, reaching } from "./attempt.ts";
import { Deadline } from "./deadline.ts";
import type { Connection } from "./options.ts";
import { parseJson } from "./parse-json.ts";
import { type HttpRequest, pathWithQuery } from "./request.ts";
import { withRetries } from "./retry.ts";
import { traceHeaders } from "./trace-headers.ts";

/** A successful response. */
export interface HttpResponse<T> {
  readonly headers: Headers;
  /** Parsed JSON; the contract gives its type. */
  readonly body: T;
}

/** Sends calls with the credentials of one client. */
export class Transport {
  readonly connection: Connection;
  readonly #credentials: Readonly<Record<string, string>>;

  /** @param credentials headers of every request. */
  constructor(connection: Connection, credentials: Readonly<Record<string, string>>) {
    this.connection = connection;
    this.#credentials = credentials;
  }

  /**
   * Sends a call, again where `withRetries` repeats it, within one deadline.
   *
   * @throws IkgError, IkgUnreachable, or the reason of the signal.
   */
  async send<T>(request: HttpRequest): Promise<HttpResponse<T>> {
    const { connection } = this;
    const deadline = new Deadline(request, connection.timeoutMs);
    const { signal } = deadline;
    try {
      const prepared = this.prepare(request);
      const once = async (): Promise<HttpResponse<T>> => {
        const response = await attempt(connection, prepared, signal);
        const text = await reaching(prepared.url, signal, () => response.text());
        const body = parseJson(text, `the response of ${new URL(prepared.url).origin}`) as T;
        return { headers: response.headers, body };
      };
      signal.throwIfAborted();
      const { idempotent, repeatUnexecuted = connection.repeatUnexecuted } = request;
      return await withRetries(deadline, { idempotent, repeatUnexecuted }, once);
    } finally {
      deadline.close();
    }
  }

  /** The request as `fetch` takes it. */
  prepare({ method, path, query, headers = {}, json, body }: HttpRequest): PreparedRequest {
    const content = body ?? (json === undefined ? undefined : JSON.stringify(json));
    const all = new Headers(this.#credentials);
    if (content !== undefined) all.set("content-type", "application/json");
    for (const [name, value] of Object.entries({ ...traceHeaders(), ...headers }))
      if (value !== undefined) all.set(name, value);
    const init: RequestInit & { duplex?: "half" } = {
      method,
      headers: all,
      ...(content !== undefined && { body: content }),
      // Required of a body that is a stream.
      ...(content instanceof ReadableStream && { duplex: "half" }),
    };
    return { url: this.connection.baseUrl + pathWithQuery(path, query), init };
  }
}

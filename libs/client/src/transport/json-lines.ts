import { errorOfResponse } from "../errors/error-of-response.ts";
import { attempt, reaching } from "./attempt.ts";
import { Deadline } from "./deadline.ts";
import { parseJson } from "./parse-json.ts";
import type { HttpRequest } from "./request.ts";
import { withRetries } from "./retry.ts";
import type { Transport } from "./transport.ts";

/** The texts of lines, as their bytes come. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      yield* lines.filter((line) => line !== "");
      if (done) break;
    }
    if (rest !== "") yield rest;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

interface ErrorLine {
  readonly error?: { readonly status: number };
}

/** @throws IkgError for a last line that describes a failure; IkgUnreachable for a line that is no object. */
// The contract gives the type of a line.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const valueOf = <T>(line: string, headers: Headers): T => {
  const value = parseJson(line, "a line of the response") as T & ErrorLine;
  if (value.error === undefined) return value;
  const head = new Headers({ "x-request-id": headers.get("x-request-id") ?? "" });
  throw errorOfResponse({ status: value.error.status, headers: head }, JSON.stringify(value.error));
};

/**
 * A response of JSON lines, as they come. It is requested again until it begins, never after that.
 *
 * @param limit what the time of the request limits: the whole response, or each wait for a line.
 */
export async function* jsonLines<T>(
  transport: Transport,
  request: HttpRequest,
  limit: "whole" | "silence" = "whole",
): AsyncGenerator<T, void, undefined> {
  const { connection } = transport;
  const deadline = new Deadline(request, connection.timeoutMs);
  const { signal } = deadline;
  try {
    const prepared = transport.prepare({
      ...request,
      headers: { ...request.headers, accept: "application/x-ndjson" },
    });
    signal.throwIfAborted();
    const once = (): Promise<Response> => attempt(connection, prepared, signal);
    const response = await withRetries(deadline, request, once);
    if (response.body === null) return;
    const lines = linesOf(response.body as ReadableStream<Uint8Array>); // bytes, by the standard
    for (;;) {
      const next = await reaching(prepared.url, signal, () => lines.next());
      if (next.done === true) return;
      let isRead = false;
      try {
        if (limit === "silence") deadline.stop();
        yield valueOf<T>(next.value, response.headers);
        if (limit === "silence") deadline.restart();
        isRead = true;
      } finally {
        if (!isRead) await lines.return();
      }
    }
  } finally {
    deadline.close();
  }
}

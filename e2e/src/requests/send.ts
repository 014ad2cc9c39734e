import { tryParseJson } from "@ikg/contracts/values";
import { environment } from "../environment.ts";

/** What came back. `body` is the parsed JSON, or undefined where the text is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
  /** What was asked, as far as it is text: an answer may repeat it. */
  readonly sent: string;
}

export interface Sending {
  /** Address of another gateway than the suite's. */
  readonly base?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is; the content type stays application/json unless `headers` sets another. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

/** No answer of the product takes longer; a hanging one is a failure with a name. */
export const answerWithinMs = 40_000;

/** One request to the suite under test; `path` begins with a slash. POST where there is a body, else GET. */
export const send = async (
  path: string,
  { base = environment().base_url, method, headers = {}, json, raw }: Sending = {},
): Promise<Answer> => {
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(`${base}${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body }),
    redirect: "manual",
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const text = await response.text();
  const sent = `${path}\n${typeof body === "string" ? body : ""}`;
  return { status: response.status, headers: response.headers, text, body: tryParseJson(text), sent };
};

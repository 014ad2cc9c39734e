/** Requests to the gateway with the key of an agent. */
import { Agent, request } from "undici";

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Client {
  /** @param body sent as it stands. @throws Error when no answer comes, or when `signal` ends it */
  post(
    path: string,
    body: string | Uint8Array,
    more?: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
  ): Promise<Answer>;
  get(path: string): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  close(): Promise<void>;
}

/** No answer of the suite takes longer. */
const answerMs = 60_000;

/** @param connections at once; those of the light tenant and of the heavy one are apart */
export const openClient = (baseUrl: string, key: string, connections: number): Client => {
  const dispatcher = new Agent({ connections, headersTimeout: answerMs, bodyTimeout: answerMs });
  const send = async (
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: string | Uint8Array,
    { headers = {}, signal }: { headers?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
  ): Promise<Answer> => {
    const answer = await request(`${baseUrl}${path}`, {
      dispatcher,
      method,
      headers: { "content-type": "application/json", "x-svc-clientkey": key, ...headers },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  return {
    post: (path, body, more) => send("POST", path, body, more),
    get: (path) => send("GET", path),
    delete: (path) => send("DELETE", path),
    close: () => dispatcher.destroy(),
  };
};

/** POST to `/access/v1` over kept-alive connections, to the gateway or to whatever else answers it. */
import { StringDecoder } from "node:string_decoder";
import { Pool } from "undici";

type Headers = Readonly<Record<string, string>>;

/** 503: nothing was carried out, and the same may be sent again. */
export class Unavailable extends Error {}

export interface Evaluations {
  /** @param body the request as JSON text. @returns the answer */
  post(path: string, headers: Headers, body: string): Promise<unknown>;
  /** @param body the question as JSON text. @returns the decision */
  evaluate(headers: Headers, body: string): Promise<boolean>;
  close(): Promise<void>;
}

/** One POST by the lowest way that undici has: whatever the generator spends is missing on the machine that it measures. */
const exchange = (
  pool: Pool,
  path: string,
  headers: Headers,
  sent: string,
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    let status = 0;
    let text = "";
    const decoder = new StringDecoder("utf8");
    pool.dispatch(
      { method: "POST", path, headers: { "content-type": "application/json", ...headers }, body: sent },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, code) => void (status = code),
        onResponseData: (_controller, chunk) => void (text += decoder.write(chunk)),
        onResponseEnd: () => resolve({ status, text: text + decoder.end() }),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });

export const openEvaluations = (baseUrl: string, connections: number): Evaluations => {
  const pool = new Pool(baseUrl, { connections, pipelining: 1, keepAliveTimeout: 60_000 });
  const post = async (path: string, headers: Headers, sent: string): Promise<unknown> => {
    const { status, text } = await exchange(pool, path, headers, sent);
    if (status === 503) throw new Unavailable(`${baseUrl} answered 503: ${text.slice(0, 300)}`);
    if (status !== 200) throw new Error(`${baseUrl} answered ${status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  return {
    post,
    evaluate: async (headers, question) =>
      // A decision, by the status.
      ((await post("/access/v1/evaluation", headers, question)) as { decision: boolean }).decision,
    close: () => pool.close(),
  };
};

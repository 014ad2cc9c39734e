/** POST to `/access/v1` over kept-alive connections, to the gateway or to whatever else answers it. */
import { openHttpConnections } from "./http-connections.ts";

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

export const openEvaluations = (baseUrl: string, connections: number): Evaluations => {
  const http = openHttpConnections(baseUrl, connections);
  const post = async (path: string, headers: Headers, sent: string): Promise<unknown> => {
    const { status, text } = await http.post(path, { "content-type": "application/json", ...headers }, sent);
    if (status === 503) throw new Unavailable(`${baseUrl} answered 503: ${text.slice(0, 300)}`);
    if (status !== 200) throw new Error(`${baseUrl} answered ${status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  return {
    post,
    evaluate: async (headers, question) =>
      // A decision, by the status.
      ((await post("/access/v1/evaluation", headers, question)) as { decision: boolean }).decision,
    close: () => http.close(),
  };
};

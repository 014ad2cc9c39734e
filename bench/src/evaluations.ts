/** POST /access/v1/evaluation over kept-alive connections, to the gateway or to whatever else answers it. */
import { Pool } from "undici";

export interface Evaluations {
  /** @param body the question as JSON text. @returns the decision */
  evaluate(headers: Readonly<Record<string, string>>, body: string): Promise<boolean>;
  close(): Promise<void>;
}

export const openEvaluations = (baseUrl: string, connections: number): Evaluations => {
  const pool = new Pool(baseUrl, { connections, pipelining: 1, keepAliveTimeout: 60_000 });
  return {
    evaluate: async (headers, question) => {
      const { statusCode, body } = await pool.request({
        method: "POST",
        path: "/access/v1/evaluation",
        headers: { "content-type": "application/json", ...headers },
        body: question,
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${baseUrl} answered ${statusCode}: ${text.slice(0, 300)}`);
      // A decision, by the status.
      return (JSON.parse(text) as { decision: boolean }).decision;
    },
    close: () => pool.close(),
  };
};

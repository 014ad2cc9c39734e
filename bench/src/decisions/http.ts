/** POST /access/v1/evaluation over kept-alive connections, to the gateway or to the service behind it. */
import { Pool } from "undici";
import type { Ask } from "../measure.ts";
import type { Question } from "./data.ts";

export interface Client {
  readonly ask: Ask<Question>;
  close(): Promise<void>;
}

/** @param headers what opens the call, asked for with every call */
export const openClient = (
  baseUrl: string,
  connections: number,
  headers: () => Readonly<Record<string, string>>,
): Client => {
  const pool = new Pool(baseUrl, { connections, pipelining: 1, keepAliveTimeout: 60_000 });
  return {
    ask: async ({ person, document }) => {
      const { statusCode, body } = await pool.request({
        method: "POST",
        path: "/access/v1/evaluation",
        headers: { "content-type": "application/json", ...headers() },
        body: JSON.stringify({
          subject: { type: "Person", id: person },
          action: { name: "READ" },
          resource: { type: "Document", id: document },
        }),
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${baseUrl} answered ${statusCode}: ${text.slice(0, 300)}`);
      // A decision, by the status.
      return (JSON.parse(text) as { decision: boolean }).decision;
    },
    close: () => pool.close(),
  };
};

import { request } from "node:http";
import { tryParseJson } from "@ikg/contracts/values";
import { environment } from "../environment.ts";
import { type Answer, answerWithinMs } from "./send.ts";

/** A request line and headers as they go over the wire: nothing is normalised, names may repeat. */
export interface RawSending {
  readonly method: string;
  readonly path: string;
  /** name, value, name, value, ... */
  readonly headers?: readonly string[];
  readonly body?: Uint8Array;
  /** The length of the body is not announced. */
  readonly chunked?: boolean;
}

/** Sends what `fetch` would refuse or tidy up. */
export const sendRaw = ({ method, path, headers = [], body, chunked = false }: RawSending): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(environment().base_url);
    const framing =
      body === undefined
        ? []
        : chunked
          ? ["Transfer-Encoding", "chunked"]
          : ["Content-Length", String(body.length)];
    const outgoing = request(
      {
        hostname,
        port,
        method,
        path,
        headers: ["Host", host, "Connection", "close", ...framing, ...headers],
        agent: false,
        timeout: answerWithinMs,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.once("error", reject);
        incoming.once("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const received = new Headers();
          for (const [name, value] of Object.entries(incoming.headers))
            if (value !== undefined) received.set(name, String(value));
          resolve({
            status: incoming.statusCode ?? 0,
            headers: received,
            text,
            body: tryParseJson(text),
            sent: path,
          });
        });
      },
    );
    outgoing.once("timeout", () => outgoing.destroy(new Error(`no answer within ${answerWithinMs} ms`)));
    outgoing.once("error", reject);
    outgoing.end(body);
  });

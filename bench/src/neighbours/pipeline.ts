/** Many requests at once on one connection (RFC 9112, section 9.3.2). */
import { connect } from "node:net";

export interface PipelinedRequests {
  readonly path: string;
  readonly apiKey: string;
  readonly body: string;
  readonly count: number;
}

/**
 * Writes them all, and resolves when as many answers came, the server ended the connection, or `signal` is aborted.
 *
 * @returns how many answers came
 */
export const pipeline = async (
  baseUrl: string,
  { path, apiKey, body, count }: PipelinedRequests,
  signal: AbortSignal,
): Promise<number> => {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), signal });
  const text =
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nx-svc-clientkey: ${apiKey}\r\ncontent-type: application/json\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  let answers = 0;
  await new Promise<void>((resolve) => {
    socket.on("error", () => resolve()).on("close", () => resolve());
    socket.on("data", (chunk: Buffer) => {
      answers += chunk.toString("latin1").split("HTTP/1.1 ").length - 1;
      if (answers >= count) resolve();
    });
    socket.write(text.repeat(count));
  });
  socket.destroy();
  return answers;
};

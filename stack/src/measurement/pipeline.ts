/** Many requests at once on one connection (RFC 9112, section 9.3.2). */
import { connect } from "node:net";

export interface PipelinedRequests {
  readonly path: string;
  readonly apiKey: string;
  /** JSON text. */
  readonly body: string;
  readonly count: number;
}

const statusLine = /HTTP\/1\.1 (\d{3}) /g;
const statusLineLength = 13;

/**
 * Writes them all, and resolves when as many answers came, the server ended the connection, or `signal` is aborted.
 *
 * @returns the statuses that came
 */
export const pipeline = async (
  baseUrl: string,
  { path, apiKey, body, count }: PipelinedRequests,
  signal: AbortSignal,
): Promise<readonly number[]> => {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port || 80), signal });
  const text =
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nx-svc-clientkey: ${apiKey}\r\ncontent-type: application/json\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const statuses: number[] = [];
  // A status line may come in two pieces.
  let rest = "";
  await new Promise<void>((resolve) => {
    socket.on("error", () => resolve()).on("close", () => resolve());
    socket.on("data", (chunk: Buffer) => {
      const received = rest + chunk.toString("latin1");
      for (const [, status] of received.matchAll(statusLine)) statuses.push(Number(status));
      rest = received.slice(1 - statusLineLength);
      if (statuses.length >= count) resolve();
    });
    socket.write(text.repeat(count));
  });
  socket.destroy();
  return statuses;
};

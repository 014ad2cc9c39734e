import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";

/** A body of a known length up to this is sent in one piece with the headers; any other as it comes. */
const wholeBody = 64 * 1024;

/** What a service is sent: a whole that is read first, or a flow that passes through. */
export type Body = { whole(read: (body: Buffer) => void): void } | { readonly flow: PassThrough };

export interface BodyHooks {
  readonly onBytes: (bytes: number) => void;
  /** Called once, when more than the limit came; the flow has ended. */
  readonly onTooLarge: () => void;
}

const collect = (request: IncomingMessage, read: (body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => void chunks.push(chunk));
  request.on("end", () =>
    read(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
  );
};

const flowOf = (request: IncomingMessage, limit: number, { onBytes, onTooLarge }: BodyHooks): PassThrough => {
  const flow = new PassThrough();
  let size = 0;
  const count = (chunk: Buffer): void => {
    onBytes(chunk.length);
    size += chunk.length;
    if (size <= limit) return;
    request.off("data", count).unpipe(flow);
    onTooLarge();
  };
  request.on("data", count).pipe(flow);
  // Who destroys it has told everybody why. What still arrives then is read and thrown away, so that the connection can
  // be used again. After the pipe's own listener, which would pause the request.
  flow.on("error", () => undefined).on("close", () => request.resume());
  return flow;
};

/**
 * The body of a request on its way to a service; null when it has none.
 *
 * @param limit bytes
 */
export const bodyOf = (request: IncomingMessage, limit: number, hooks: BodyHooks): Body | null => {
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  if (encoding !== undefined || Number(length) > wholeBody) return { flow: flowOf(request, limit, hooks) };
  return Number(length) === 0 ? null : { whole: (read) => collect(request, read) };
};

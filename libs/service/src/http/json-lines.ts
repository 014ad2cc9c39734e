import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { constants, createGzip, type Gzip } from "node:zlib";
import { Problem } from "@ikg/contracts";
import { stallMs } from "./send-pieces.ts";

/** The media type of JSON lines. */
export const jsonLinesType = "application/x-ndjson";

/** Lines that are JSON text already, each with its line feed. */
export class LinesText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A response of JSON lines, each sent once it is there. */
export class JsonLines {
  readonly lines: AsyncIterable<unknown>;
  /** Whether a reader who accepts gzip is sent it: for much text, whose lines need not arrive one by one. */
  readonly compressible: boolean;

  constructor(
    lines: AsyncIterable<unknown>,
    { compressible = false }: { readonly compressible?: boolean } = {},
  ) {
    this.lines = lines;
    this.compressible = compressible;
  }

  /** Tells the producer of the lines that they are not sent. */
  async abandon(): Promise<void> {
    await this.lines[Symbol.asyncIterator]().return?.();
  }
}

/** The last line of a response that failed: the envelope of the problem, under `error`. */
const errorLine = (error: unknown): unknown => {
  const problem = error instanceof Problem ? error : new Problem("internal", { cause: error });
  return { error: { status: problem.status, ...problem.envelope() } };
};

const textOf = (line: unknown): string =>
  line instanceof LinesText ? line.text : `${JSON.stringify(line)}\n`;

/** Compresses on the way to a response, as fast as that takes it. */
const gzipTo = (response: ServerResponse): Gzip => {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  gzip.pipe(response);
  response.once("close", () => gzip.destroy());
  return gzip;
};

/** Resolves when more may be written, or when the response is over. */
const drained = async (sink: Writable, response: ServerResponse): Promise<void> => {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(sink, "drain", { signal }), once(response, "close", { signal })]);
  } finally {
    over.abort();
  }
};

/**
 * Writes each line once it is there, with backpressure. After a failure a last line describes it; a client that reads
 * nothing for long is disconnected.
 *
 * @param onFailure called with what `lines` threw.
 * @param gzip whether the text is compressed.
 */
export const sendLines = async (
  response: ServerResponse,
  { lines }: JsonLines,
  onFailure: (error: unknown) => void,
  gzip = false,
): Promise<void> => {
  const sink = gzip ? gzipTo(response) : response;
  response.setTimeout(stallMs, () => {
    if (response.writableNeedDrain) response.destroy();
  });
  const write = async (line: unknown): Promise<void> => {
    const text = textOf(line);
    if (response.destroyed || text === "" || sink.write(text)) return;
    await drained(sink, response);
  };
  try {
    for await (const line of lines) {
      if (response.destroyed) return;
      await write(line);
    }
  } catch (error) {
    if (response.destroyed) return;
    onFailure(error);
    await write(errorLine(error));
  }
  sink.end();
};

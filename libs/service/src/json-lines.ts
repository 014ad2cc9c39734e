import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Problem } from "@ikg/contracts";
import { stallMs } from "./send-pieces.ts";

/** The media type of JSON lines. */
export const jsonLinesType = "application/x-ndjson";

/** An answer of JSON lines, sent as they come. */
export class JsonLines {
  readonly lines: AsyncIterable<unknown>;

  constructor(lines: AsyncIterable<unknown>) {
    this.lines = lines;
  }

  /** Says to who makes the lines that none is sent. */
  async abandon(): Promise<void> {
    await this.lines[Symbol.asyncIterator]().return?.();
  }
}

/** The last line of a response that failed: the envelope of the problem, under `error`. */
const errorLine = (error: unknown): unknown => {
  const problem = error instanceof Problem ? error : new Problem("internal", { cause: error });
  return { error: { status: problem.status, ...problem.envelope() } };
};

/**
 * Writes each line when it is there, and waits for its reader. A line after a failure describes it; a reader who takes
 * nothing for long is given up.
 *
 * @param onFailure called with what `lines` threw.
 */
export const sendLines = async (
  response: ServerResponse,
  { lines }: JsonLines,
  onFailure: (error: unknown) => void,
): Promise<void> => {
  response.setTimeout(stallMs, () => {
    if (response.writableNeedDrain) response.destroy();
  });
  const write = async (line: unknown): Promise<void> => {
    if (response.destroyed || response.write(`${JSON.stringify(line)}\n`)) return;
    await Promise.race([once(response, "drain"), once(response, "close")]);
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
  response.end();
};

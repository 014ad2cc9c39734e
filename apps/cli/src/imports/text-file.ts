import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { CommandFault } from "../command-environment.ts";

/** A text file that is written with backpressure. */
export class TextFile {
  readonly #name: string;
  readonly #stream: WriteStream;
  readonly #ended: Promise<void>;

  /** @param name the name for messages */
  constructor(path: string, name: string, options: { readonly flags?: string; readonly mode?: number } = {}) {
    this.#name = name;
    this.#stream = createWriteStream(path, options);
    this.#ended = finished(this.#stream);
    this.#ended.catch(() => undefined);
  }

  async write(text: string): Promise<void> {
    if (this.#stream.write(text)) return;
    await this.#translated(Promise.race([once(this.#stream, "drain"), this.#ended]));
  }

  /** Resolves when everything has been written. */
  async close(): Promise<void> {
    this.#stream.end();
    await this.#translated(this.#ended);
  }

  async #translated(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      throw new CommandFault(`${this.#name} cannot be written: ${(error as Error).message}`);
    }
  }
}

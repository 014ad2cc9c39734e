import type { ImportState, ImportStore } from "../jobs/import-state.ts";
import type { RejectedLine } from "../jobs/rejected-lines.ts";

/** Rejected lines that are kept as objects; the NDJSON text has all of them. */
const maxShown = 1_000;

const partCharacters = 256 * 1024;

interface Part {
  readonly lines: number;
  readonly text: Blob;
}

/** Keeps the state of an import in memory while the tab is open. The size of rejected lines is their number. */
export class MemoryStore implements ImportStore {
  #state: ImportState | undefined;
  #parts: readonly Part[] = [];
  #first: readonly RejectedLine[] = [];

  get state(): ImportState | undefined {
    return this.#state;
  }

  /** The first rejected lines. */
  get firstRejected(): readonly RejectedLine[] {
    return this.#first;
  }

  /** All rejected lines as NDJSON. */
  rejectedText(): Blob {
    return new Blob(
      this.#parts.map(({ text }) => text),
      { type: "application/x-ndjson" },
    );
  }

  write(state: ImportState): void {
    this.#state = state;
  }

  keepRejected(size: number): void {
    while (this.#size() > size) this.#parts = this.#parts.slice(0, -1);
    this.#first = this.#first.slice(0, size);
  }

  /** Stores the lines only when all of them have been read: a failure stores none. */
  async addRejected(lines: AsyncIterable<RejectedLine>): Promise<number> {
    const texts: Blob[] = [];
    const first = [...this.#first];
    let [text, count] = ["", 0];
    for await (const line of lines) {
      count += 1;
      if (first.length < maxShown) first.push(line);
      text += `${JSON.stringify(line)}\n`;
      if (text.length < partCharacters) continue;
      texts.push(new Blob([text]));
      text = "";
    }
    this.#parts = [...this.#parts, { lines: count, text: new Blob([...texts, text]) }];
    this.#first = first;
    return this.#size();
  }

  #size(): number {
    return this.#parts.reduce((sum, { lines }) => sum + lines, 0);
  }
}

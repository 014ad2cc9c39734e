import type { ImportCounts, ImportListener } from "@ikg/imports";
import type { CommandEnvironment } from "../command-environment.ts";

const everyMs = 200;
const narrow = 60;

/** A progress line on the terminal. */
export class ImportProgress implements ImportListener {
  readonly #environment: CommandEnvironment;
  readonly #totalBytes: number;
  readonly #started = Date.now();
  #bytes = 0;
  #shown = 0;
  #counts: ImportCounts = { rows: 0, written: 0, rejected: 0 };

  /** @param totalBytes the bytes that will be read in total. */
  constructor(environment: CommandEnvironment, totalBytes: number) {
    this.#environment = environment;
    this.#totalBytes = totalBytes;
  }

  read(bytes: number): void {
    this.#bytes += bytes;
    this.#draw(false);
  }

  update(counts: ImportCounts): void {
    this.#counts = counts;
    this.#draw(false);
  }

  end(): void {
    this.#draw(true);
    if (this.#environment.isTerminal) this.#environment.error("\n");
  }

  #draw(isLast: boolean): void {
    const now = Date.now();
    if (!this.#environment.isTerminal || (!isLast && now - this.#shown < everyMs)) return;
    this.#shown = now;
    const { rows, written, rejected } = this.#counts;
    const share = this.#totalBytes === 0 ? 1 : Math.min(1, this.#bytes / this.#totalBytes);
    const rate = Math.round((written * 1_000) / Math.max(1, now - this.#started));
    const text = `read ${Math.floor(share * 100)} %, ${rows} rows; ${written} lines written, ${rate}/s; ${rejected} rejected`;
    const width = (this.#environment.columns ?? 80) - 1;
    const short = `${Math.floor(share * 100)} %, ${written} lines, ${rate}/s, ${rejected} rejected`;
    const fitting = width <= narrow || text.length > width ? short : text;
    this.#environment.error(`\r${fitting.slice(0, width).padEnd(width)}`);
  }
}

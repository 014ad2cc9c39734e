/** Bytes of the text of a page that are aimed at. */
const targetBytes = 1024 * 1024;
const firstRows = 200;
const maxRows = 2_000;

/** How many rows the next page has: as many as make about one size of text, so that large nodes take no more memory. */
export class PageSize {
  #rows = firstRows;

  get rows(): number {
    return this.#rows;
  }

  /** Learns from a page that was read. */
  observe(rows: number, bytes: number): void {
    if (rows === 0) return;
    const fitting = Math.floor(targetBytes / Math.max(1, bytes / rows));
    this.#rows = Math.max(1, Math.min(maxRows, fitting, this.#rows * 2));
  }

  /** A page was too large to be read. @returns false when it had one row only. */
  shrink(): boolean {
    if (this.#rows === 1) return false;
    this.#rows = Math.max(1, Math.floor(this.#rows / 8));
    return true;
  }
}

/** A JSON answer that is text already, in pieces, and may hold memory until it was sent. */
export class JsonText {
  readonly pieces: readonly string[];
  #release: (() => void) | undefined;

  /** @param release called once, when the answer was sent or never will be. */
  constructor(pieces: readonly string[], release?: () => void) {
    this.pieces = pieces;
    this.#release = release;
  }

  /** Characters of all pieces. */
  get length(): number {
    return this.pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  toString(): string {
    return this.pieces.join("");
  }

  /** What it held is free. */
  release(): void {
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }
}

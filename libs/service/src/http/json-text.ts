/** A JSON response that is text already, in pieces. It may hold memory until it is sent. */
export class JsonText {
  readonly pieces: readonly string[];
  #release: (() => void) | undefined;

  /** @param release called once, when the response was sent or can no longer be sent. */
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

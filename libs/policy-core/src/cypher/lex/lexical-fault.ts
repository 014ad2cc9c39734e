/** Ends the reading of a text inside this folder; `parse` turns it into a fault and lets none through. */
export class LexicalFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

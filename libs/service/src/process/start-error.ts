/** A reason why a process cannot start, in lines that tell an operator what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly lines: readonly string[];

  constructor(lines: readonly string[], cause?: unknown) {
    super(lines.join("; "), cause === undefined ? undefined : { cause });
    this.lines = lines;
  }
}

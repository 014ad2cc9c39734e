/** A place in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something that is wrong with a file. */
export interface Fault extends Place {
  readonly message: string;
}

/** Faults as they are found; several of one file are reported together. */
export class Faults {
  readonly #found = new Map<string, Fault>();

  add({ file, line, column }: Place, message: string): void {
    const fault = { file, line, column, message: message.replaceAll(/\s*\n\s*/g, " ") };
    this.#found.set(formatFault(fault), fault);
  }

  get none(): boolean {
    return this.#found.size === 0;
  }

  /** In the order of files and places. */
  get list(): readonly Fault[] {
    return [...this.#found.values()].sort(
      (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column,
    );
  }
}

export const formatPlace = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

/** One line, as compilers write it. */
export const formatFault = (fault: Fault): string => `${formatPlace(fault)}: ${fault.message}`;

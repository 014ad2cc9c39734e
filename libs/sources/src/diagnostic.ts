/** A position in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** An error or a warning about a file, with its position. */
export interface Diagnostic extends Place {
  readonly message: string;
}

/** Collects diagnostics, so that all of them are reported together; duplicates are dropped. */
export class DiagnosticList {
  readonly #found = new Map<string, Diagnostic>();

  add({ file, line, column }: Place, message: string): void {
    const diagnostic = { file, line, column, message: message.replaceAll(/\s*\n\s*/g, " ") };
    this.#found.set(formatDiagnostic(diagnostic), diagnostic);
  }

  get isEmpty(): boolean {
    return this.#found.size === 0;
  }

  /** Ordered by file and position. */
  get list(): readonly Diagnostic[] {
    return [...this.#found.values()].sort(
      (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column,
    );
  }
}

export const formatPlace = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

/** One line in the format of compilers: `FILE:LINE:COLUMN: MESSAGE`. */
export const formatDiagnostic = (diagnostic: Diagnostic): string =>
  `${formatPlace(diagnostic)}: ${diagnostic.message}`;

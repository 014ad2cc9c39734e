/** The result of Stryker: how many mutants of each file were killed, and which survived. */

/** The members of the mutation testing report schema that are read. */
export interface MutationReport {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly status: string;
          readonly mutatorName: string;
          readonly replacement?: string;
          readonly location: {
            readonly start: { readonly line: number; readonly column: number };
            readonly end: { readonly line: number; readonly column: number };
          };
        }[];
      }
    >
  >;
}

/** A mutant that made a test fail, or not end in time. */
const killed = new Set(["Killed", "Timeout", "RuntimeError", "CompileError"]);
/** A mutant that made no test fail, or that no test ran. */
const survived = new Set(["Survived", "NoCoverage"]);

/** A mutant that survived. */
export interface Survivor {
  /** relative to the repository */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly mutator: string;
  /** The first line of the original text, and its replacement. */
  readonly text: string;
  readonly replacement: string;
}

/** The number of mutants of a file, and how many of them were killed. */
export interface Score {
  readonly file: string;
  readonly killed: number;
  readonly all: number;
}

export const survivorsOf = ({ files }: MutationReport): readonly Survivor[] =>
  Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split("\n");
    return mutants
      .filter(({ status }) => survived.has(status))
      .map(({ location: { start, end }, mutatorName: mutator, replacement = "" }) => {
        const last = end.line === start.line ? end.column - 1 : undefined;
        const text = (lines[start.line - 1] ?? "").slice(start.column - 1, last);
        return { file, line: start.line, column: start.column, mutator, text, replacement };
      });
  });

export const scoresOf = ({ files }: MutationReport): readonly Score[] =>
  Object.entries(files).map(([file, { mutants }]) => {
    const count = (statuses: ReadonlySet<string>): number =>
      mutants.filter(({ status }) => statuses.has(status)).length;
    return { file, killed: count(killed), all: count(killed) + count(survived) };
  });

/** The score of several files together. */
export const totalOf = (scores: readonly Score[], file = "all"): Score => ({
  file,
  killed: scores.reduce((sum, score) => sum + score.killed, 0),
  all: scores.reduce((sum, score) => sum + score.all, 0),
});

export const percentOf = ({ killed, all }: Score): string =>
  all === 0 ? "-" : `${((100 * killed) / all).toFixed(1)} %`;

/** On one line, truncated. */
export const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

/** A line for each file with its score, then the score of all. */
export const summarize = (report: MutationReport): readonly string[] => {
  const scores = scoresOf(report);
  return [...scores, totalOf(scores)].map(
    (score) =>
      `${percentOf(score).padStart(8)}  ${score.file} (${score.all - score.killed} of ${score.all} survived)`,
  );
};

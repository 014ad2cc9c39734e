/** What Stryker found: how many changes were noticed in each file, and which were not. */

/** The part that is read of the mutation testing report schema. */
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

/** A change that a test noticed: it failed, or it did not come to an end. */
const noticed = new Set(["Killed", "Timeout", "RuntimeError", "CompileError"]);
/** A change that none noticed, or that none even ran. */
const survived = new Set(["Survived", "NoCoverage"]);

/** A change that no test noticed. */
export interface Survivor {
  /** relative to the repository */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly mutator: string;
  /** What stands there, its first line, and what it was changed to. */
  readonly text: string;
  readonly replacement: string;
}

/** How many changes of a file were made, and how many of them were noticed. */
export interface Score {
  readonly file: string;
  readonly noticed: number;
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
    const won = mutants.filter(({ status }) => noticed.has(status)).length;
    const lost = mutants.filter(({ status }) => survived.has(status)).length;
    return { file, noticed: won, all: won + lost };
  });

/** The score of several files together. */
export const totalOf = (scores: readonly Score[], file = "all"): Score => ({
  file,
  noticed: scores.reduce((sum, each) => sum + each.noticed, 0),
  all: scores.reduce((sum, each) => sum + each.all, 0),
});

export const percentOf = ({ noticed: won, all }: Score): string =>
  all === 0 ? "-" : `${((100 * won) / all).toFixed(1)} %`;

/** On one line, cut to what shows what is meant. */
export const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

/** A line for each file with its score, then the score of all. */
export const summarize = (report: MutationReport): readonly string[] => {
  const scores = scoresOf(report);
  return [...scores, totalOf(scores)].map(
    (score) =>
      `${percentOf(score).padStart(8)}  ${score.file} (${score.all - score.noticed} of ${score.all} survived)`,
  );
};

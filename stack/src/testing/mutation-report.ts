/** What Stryker found, in a few lines: the score of each room and the changes that no test noticed. */

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

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

/** A line for each change that survived, then one for each file with its score, then the score of all. */
export const summarizeMutants = ({ files }: MutationReport): readonly string[] => {
  const survivors: string[] = [];
  const scores: string[] = [];
  let [killed, all] = [0, 0];
  for (const [name, { source, mutants }] of Object.entries(files)) {
    const lines = source.split("\n");
    const lost = mutants.filter(({ status }) => survived.has(status));
    const won = mutants.filter(({ status }) => noticed.has(status)).length;
    for (const { location, mutatorName, replacement = "" } of lost) {
      const { start, end } = location;
      const line = lines[start.line - 1] ?? "";
      const text = line.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined);
      survivors.push(
        `${name}:${start.line}:${start.column} ${mutatorName}: ${short(text)} -> ${short(replacement)}`,
      );
    }
    killed += won;
    all += won + lost.length;
    scores.push(`${percent(won, won + lost.length).padStart(8)}  ${name} (${lost.length} survived)`);
  }
  return [...survivors, ...scores, `${percent(killed, all).padStart(8)}  of ${all} changes were noticed`];
};

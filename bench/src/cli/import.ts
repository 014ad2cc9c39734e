/** An import from CSV by a mapping, beside one of the same lines from NDJSON. */
import { median } from "../../../stack/src/measurement/statistics.ts";
import { say } from "../../../stack/launch/progress.mjs";
import { atLeast, countText, type Line, perSecondText } from "../targets.ts";
import { writeCsv, writeNdjson } from "./files.ts";
import { plan, targets } from "./plan.ts";
import { runNode, type Run, type RunOptions } from "./program.ts";

type Way = "csv" | "ndjson";

const commands: Readonly<Record<Way, readonly string[]>> = {
  csv: ["import", "rows.csv", "--map", "map.yaml"],
  ndjson: ["graph", "import", "rows.ndjson"],
};

const writers = { csv: writeCsv, ndjson: writeNdjson } as const;

/** @param rows each is a node and two relationships. */
export const measureImport = async (
  program: string,
  rows: number,
  options: RunOptions,
): Promise<readonly Line[]> => {
  const rounds: Record<Way, Run>[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const found: Partial<Record<Way, Run>> = {};
    for (const way of round % 2 === 0 ? (["csv", "ndjson"] as const) : (["ndjson", "csv"] as const)) {
      await writers[way](options.cwd, rows, `${way}-${round}-`);
      const run = await runNode([program, ...commands[way]], options);
      if (!run.output.includes(`${rows} nodes and ${2 * rows} relationships written, 0 lines rejected`))
        throw new Error(`the import from ${way} ended so: ${run.output}`);
      found[way] = run;
    }
    rounds.push(found as Record<Way, Run>); // both
    say(`import: round ${round + 1} of ${plan.rounds}`);
  }
  const lines = 3 * rows;
  const rate = (way: Way): string =>
    perSecondText((lines * 1_000) / median(rounds.map((round) => round[way].ms)));
  const peak = (way: Way): number => Math.max(...rounds.map((round) => round[way].peakMb));
  return [
    {
      what: `\`ikg import\` of ${countText(rows)} nodes and ${countText(2 * rows)} relationships from CSV`,
      figure: rate("csv"),
      ...atLeast(median(rounds.map(({ csv, ndjson }) => ndjson.ms / csv.ms)), targets.import),
      baseline: `\`ikg graph import\` of NDJSON: ${rate("ndjson")}`,
    },
    {
      what: "memory of `ikg import`, at most",
      figure: `${Math.round(peak("csv"))} MB`,
      ratio: "",
      target: `at most ${targets.importMb} MB`,
      met: peak("csv") <= targets.importMb,
      baseline: `\`ikg graph import\`: ${Math.round(peak("ndjson"))} MB`,
    },
  ];
};

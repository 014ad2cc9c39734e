/** docs/mutation.md: the score of each file, and every mutant that survives the quick tests, with the reason why it is harmless. */
import {
  type MutationReport,
  percentOf,
  scoresOf,
  short,
  type Survivor,
  survivorsOf,
  totalOf,
} from "./mutation-report.ts";

interface Reason {
  readonly title: string;
  readonly why: string;
  applies(survivor: Survivor): boolean;
}

const sources = "libs/policy-core/src/";

const inFolders =
  (...folders: readonly string[]) =>
  ({ file }: Survivor): boolean =>
    folders.some((name) => file.startsWith(`${sources}${name}`));

/** In the order in which they are tried; the last one applies to all others. */
const reasons: readonly Reason[] = [
  {
    title: "Comparisons that narrow a type",
    why: "The other member that is compared exists only on tokens, nodes or values of one kind, or the value is always present: the comparison narrows the type for the compiler and does not change the result.",
    applies: ({ text }) => /\.kind\b|typeof |" in |instanceof |undefined|\?\./.test(text),
  },
  {
    title: "Meaning on the database",
    why: "No recorded text differs. The meaning of these texts is tested on a real database by `test/filters.long.test.ts`, `test/statements.test.ts`, `test/calls.test.ts` and the generated cases of `test/oracle`, which this run leaves out because each mutant would take minutes.",
    applies: inFolders("rewrite/", "filters/print"),
  },
  {
    title: "Names that are spelled like keywords",
    why: "These lists and lookaheads only matter for names such as `where` or `case`. `test/hostile` and `src/cypher/hostile.test.ts` cover them with thousands of texts, which take too long for this run.",
    applies: inFolders("cypher/"),
  },
  {
    title: "The rest",
    why: "Caches, truncation of long texts in messages, paths of messages where another error of the same place has been reported, positions of generated nodes, lists that are empty on the way to a refusal that is reported anyway, and conditions that repeat an earlier one.",
    applies: () => true,
  },
];

const lineOf = ({ file, line, column, mutator, text, replacement }: Survivor): string =>
  `${file.slice(sources.length)}:${line}:${column} ${mutator}: ${short(text)} -> ${short(replacement)}`;

export const mutationDocument = (report: MutationReport): string => {
  const scores = scoresOf(report);
  const groups = Map.groupBy(survivorsOf(report), (survivor) =>
    reasons.find((reason) => reason.applies(survivor)),
  );
  const rows = [...scores, totalOf(scores, `${sources}all`)].map(
    (score) =>
      `| ${score.file.slice(sources.length)} | ${percentOf(score)} | ${score.all - score.killed} | ${score.all} |`,
  );
  const parts = reasons.flatMap((reason) => {
    const group = groups.get(reason) ?? [];
    return group.length === 0
      ? []
      : [`### ${reason.title}: ${group.length}`, "", reason.why, "", "```", ...group.map(lineOf), "```", ""];
  });
  return [
    "# Mutation score",
    "",
    "`npm run mutation` mutates the parser, the rewriting, the filters and the allow-lists of the policy language, one",
    "place at a time, and runs the quick tests, which need no database. It writes this page and fails below 88 %.",
    "",
    "| file | killed | survived | mutants |",
    "| --- | ---: | ---: | ---: |",
    ...rows,
    "",
    "## Surviving mutants",
    "",
    "Grouped by place and form, not reviewed one by one.",
    "",
    ...parts,
  ].join("\n");
};

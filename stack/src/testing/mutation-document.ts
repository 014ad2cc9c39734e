/** docs/mutation.md: the score of each file, and every change that no quick test notices with why it does no harm. */
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

const room = "libs/policy-core/src/";

const inRooms =
  (...rooms: readonly string[]) =>
  ({ file }: Survivor): boolean =>
    rooms.some((name) => file.startsWith(`${room}${name}`));

/** In the order in which they are tried; the last one takes what is left. */
const reasons: readonly Reason[] = [
  {
    title: "Comparisons that narrow a type",
    why: "The member that is compared beside it is on tokens, nodes or values of one kind alone, or the value is always there: the comparison tells the compiler, and decides nothing.",
    applies: ({ text }) => /\.kind\b|typeof |" in |instanceof |undefined|\?\./.test(text),
  },
  {
    title: "Meaning on the database",
    why: "No recorded text differs by it. What these texts mean is held on a real database by `test/filters.test.ts`, `test/statements.test.ts`, `test/calls.test.ts` and the generated cases of `test/oracle`, which this run leaves out because each change would take minutes.",
    applies: inRooms("rewrite/", "filters/print"),
  },
  {
    title: "Names that are spelled like words of the language",
    why: "These lists and looks ahead decide only for names such as `where` or `case`. `test/hostile` and `src/cypher/hostile.test.ts` hold them with thousands of texts, which take too long for this run.",
    applies: inRooms("cypher/"),
  },
  {
    title: "The rest",
    why: "Caches, cuts of long texts in messages, paths of messages that another fault of the same place has named, positions of nodes that no author wrote, lists that are empty on the way to a refusal which is reported anyway, and second conditions for what a line before has decided.",
    applies: () => true,
  },
];

const lineOf = ({ file, line, column, mutator, text, replacement }: Survivor): string =>
  `${file.slice(room.length)}:${line}:${column} ${mutator}: ${short(text)} -> ${short(replacement)}`;

export const mutationDocument = (report: MutationReport): string => {
  const scores = scoresOf(report);
  const groups = Map.groupBy(survivorsOf(report), (survivor) =>
    reasons.find((reason) => reason.applies(survivor)),
  );
  const rows = [...scores, totalOf(scores, `${room}all`)].map(
    (score) =>
      `| ${score.file.slice(room.length)} | ${percentOf(score)} | ${score.all - score.noticed} | ${score.all} |`,
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
    "`npm run mutation` changes the parser, the rewriting, the filters and the allow-lists of the policy language, one",
    "place at a time, and runs the tests that need no database and take no time. It writes this page and fails below 85 %.",
    "",
    "| file | noticed | survived | changes |",
    "| --- | ---: | ---: | ---: |",
    ...rows,
    "",
    "## Changes that none of these tests notices",
    "",
    "Sorted by their place and form, not judged one by one.",
    "",
    ...parts,
  ].join("\n");
};

import type { SimulatedQuestion, Simulation } from "@ikg/client";
import { InvalidArgumentError } from "commander";

/** More than so many pairs, and rows of queries, that are gained or lost fail a check. */
export interface Threshold {
  readonly what: "gained" | "lost";
  readonly above: number;
}

/** `lost,gained>100`: anything lost, or more than 100 gained. */
export const thresholds = (text: string): readonly Threshold[] =>
  text.split(",").map((part) => {
    const [, what, above = "0"] = /^(gained|lost)(?:>(\d+))?$/.exec(part.trim()) ?? [];
    if (what !== "gained" && what !== "lost")
      throw new InvalidArgumentError("lost, gained, lost>NUMBER or gained>NUMBER expected, by commas.");
    return { what, above: Number(above) };
  });

/** Of an estimate the upper end of its interval: what may be so fails. */
const countOf = ({ count, exact, high }: SimulatedQuestion["lost"]): number =>
  exact ? count : (high ?? count);

type Query = NonNullable<Simulation["queries"]>[number];

/** Rows that only one state answers; of a query that is refused in the other state all of them. */
const rowsOf = (query: Query, what: Threshold["what"]): number =>
  what === "lost"
    ? (query.only_before?.count ?? (query.refused_after === undefined ? 0 : (query.rows_before ?? 0)))
    : (query.only_after?.count ?? (query.refused_before === undefined ? 0 : (query.rows_after ?? 0)));

const questionText = ({ subject_type, action, resource_type }: SimulatedQuestion): string =>
  `${subject_type} ${action} ${resource_type}`;

/** The options that would give a policy its parameters. */
export const parameterOptions = (parameters: readonly string[]): string =>
  parameters.map((each) => `-p ${each}=…`).join(" ");

/** What the simulation knows nothing of: whether access is lost there is unknown. */
const notJudged = ({ undetermined, questions, queries = [] }: Simulation): readonly string[] => [
  ...undetermined.map(
    ({ name, parameters }) => `${name} is not judged without ${parameterOptions(parameters)}`,
  ),
  ...questions
    .filter(({ gained, lost }) => [gained, lost].some(({ exact, high }) => !exact && high === undefined))
    .map((question) => `${questionText(question)} is not judged: there was no time, --budget gives more`),
  ...questions.flatMap((question) =>
    question.subjects.unexamined === undefined
      ? []
      : [`${questionText(question)} is not judged for ${question.subjects.unexamined.count} subjects`],
  ),
  ...queries.filter(({ complete }) => !complete).map(({ name }) => `query ${name} is not judged`),
];

/** Why a check fails: thresholds that are exceeded, and whatever was not judged. Nothing without a threshold. */
export const exceeded = (simulation: Simulation, all: readonly Threshold[]): readonly string[] =>
  all.length === 0
    ? []
    : [
        ...notJudged(simulation),
        ...all.flatMap(({ what, above }) => {
          const { questions, queries = [] } = simulation;
          const pairs = questions.reduce((sum, question) => sum + countOf(question[what]), 0);
          const rows = queries.reduce((sum, query) => sum + rowsOf(query, what), 0);
          return pairs + rows > above ? [`${pairs + rows} ${what}, more than ${above}`] : [];
        }),
      ];

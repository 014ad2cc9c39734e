import type { SimulatedQuestion, Simulation } from "@ikg/client";
import { InvalidArgumentError } from "commander";

/** A check fails if more than `above` pairs and rows of queries are gained or lost. */
export interface Threshold {
  readonly what: "gained" | "lost";
  readonly above: number;
}

/** `lost,gained>100`: anything lost, or more than 100 gained. */
export const thresholds = (text: string): readonly Threshold[] =>
  text.split(",").map((part) => {
    const [, what, above = "0"] = /^(gained|lost)(?:>(\d+))?$/.exec(part.trim()) ?? [];
    if (what !== "gained" && what !== "lost")
      throw new InvalidArgumentError(
        "a comma-separated list of lost, gained, lost>NUMBER and gained>NUMBER expected.",
      );
    return { what, above: Number(above) };
  });

/** The count, or the upper bound of an estimate: a possible excess fails. */
const countOf = ({ count, exact, high }: SimulatedQuestion["lost"]): number =>
  exact ? count : (high ?? count);

type Query = NonNullable<Simulation["queries"]>[number];

/** Rows that only one of the states returns; all rows if the other state rejects the query. */
const rowsOf = (query: Query, what: Threshold["what"]): number =>
  what === "lost"
    ? (query.only_before?.count ?? (query.refused_after === undefined ? 0 : (query.rows_before ?? 0)))
    : (query.only_after?.count ?? (query.refused_before === undefined ? 0 : (query.rows_after ?? 0)));

const questionText = ({ subject_type, action, resource_type }: SimulatedQuestion): string =>
  `${subject_type} ${action} ${resource_type}`;

/** The options that set the missing parameters of a policy. */
export const parameterOptions = (parameters: readonly string[]): string =>
  parameters.map((each) => `-p ${each}=…`).join(" ");

/** What the simulation did not evaluate: it is unknown whether access is lost there. */
const notEvaluated = ({ undetermined, questions, queries = [] }: Simulation): readonly string[] => [
  ...undetermined.map(
    ({ name, parameters }) => `${name} was not evaluated: set ${parameterOptions(parameters)}`,
  ),
  ...questions
    .filter(({ gained, lost }) => [gained, lost].some(({ exact, high }) => !exact && high === undefined))
    .map(
      (question) => `${questionText(question)} was not evaluated within the time limit; increase --budget`,
    ),
  ...questions.flatMap((question) =>
    question.subjects.unexamined === undefined
      ? []
      : [`${questionText(question)} was not evaluated for ${question.subjects.unexamined.count} subjects`],
  ),
  ...queries.filter(({ complete }) => !complete).map(({ name }) => `query ${name} was not evaluated`),
];

/** The reasons why a check fails: exceeded thresholds, and what was not evaluated. Empty without thresholds. */
export const thresholdFailures = (simulation: Simulation, all: readonly Threshold[]): readonly string[] =>
  all.length === 0
    ? []
    : [
        ...notEvaluated(simulation),
        ...all.flatMap(({ what, above }) => {
          const { questions, queries = [] } = simulation;
          const pairs = questions.reduce((sum, question) => sum + countOf(question[what]), 0);
          const rows = queries.reduce((sum, query) => sum + rowsOf(query, what), 0);
          return pairs + rows > above ? [`${pairs + rows} ${what}, more than ${above}`] : [];
        }),
      ];

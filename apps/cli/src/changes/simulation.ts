import type { IkgAdmin, SimulatedQuestion, Simulation, SimulationFields } from "@ikg/client";
import { parameterOptions } from "./fail-on.ts";
import { shownCell } from "../output/cell.ts";
import type { Style } from "../output/style.ts";
import { tableOf } from "../output/table.ts";
import type { CommandEnvironment } from "../command-environment.ts";

/** Maximum time limit of one request. */
const maxCallMs = 120_000;

const show = ({ isTerminal, error }: CommandEnvironment, text: string): void => {
  if (isTerminal) error(`\r\u001b[K${text}`);
};

type Query = NonNullable<Simulation["queries"]>[number];

/** All requested queries, in order. Each call returns those that it ran; a query that no call ran is incomplete. */
const allQueries = (
  requested: NonNullable<SimulationFields["queries"]>,
  queryResults: ReadonlyMap<number, Query>,
): Query[] => requested.map(({ name }, query) => queryResults.get(query) ?? { query, name, complete: false });

/**
 * Repeats the simulation until everything is counted or the budget is used up; the last response has all counts.
 *
 * @param budget seconds
 */
export const runSimulation = async (
  admin: IkgAdmin,
  fields: SimulationFields,
  { budget, environment }: { readonly budget: number; readonly environment: CommandEnvironment },
): Promise<Simulation> => {
  let result: Simulation | undefined;
  const queryResults = new Map<number, Query>();
  for (let left = budget * 1_000, next: string | undefined; ;) {
    const budget_ms = Math.max(100, Math.min(maxCallMs, left));
    const request = { ...fields, budget_ms, ...(next !== undefined && { next }) };
    for await (const each of admin.simulations.progress(request)) {
      result = each;
      for (const query of each.queries ?? []) queryResults.set(query.query, query);
      const subjects = each.questions.map(({ subjects }) => subjects);
      const [examined, of] = [
        subjects.reduce((sum, { examined }) => sum + examined, 0),
        subjects.reduce((sum, { of }) => sum + of, 0),
      ];
      show(environment, `subjects: ${examined} of ${of}`);
    }
    left -= budget_ms;
    next = result?.next;
    if (result === undefined || result.complete || next === undefined || left <= 0) break;
  }
  show(environment, "");
  const { queries } = fields;
  return {
    ...(result ?? { complete: false, milliseconds: 0, questions: [], undetermined: [] }),
    ...(queries !== undefined && { queries: allQueries(queries, queryResults) }),
  };
};

/** @param isEvaluated false if parameters of a policy are missing, so that it is unknown what it grants */
const amount = ({ count, exact, low, high }: SimulatedQuestion["lost"], isEvaluated: boolean): string => {
  if (!exact) return high === undefined ? "?" : `~${count} (${low ?? 0} to ${high})`;
  if (isEvaluated) return String(count);
  return count === 0 ? "?" : `${count}?`;
};

const exampleLines = (question: SimulatedQuestion, style: Style): readonly string[] => {
  const { subject_type, action, resource_type, gained, lost } = question;
  const lines = (sign: "+" | "-", { examples }: SimulatedQuestion["lost"]): readonly string[] =>
    examples.map(({ subject, resource, policies }) =>
      style(
        sign === "+" ? "good" : "bad",
        shownCell(
          `${sign} ${subject_type}/${subject} ${action} ${resource_type}/${resource} (${policies.join(", ")})`,
        ),
      ),
    );
  return [...lines("+", gained), ...lines("-", lost)];
};

/** Rows that only one of the states returns: their values if requested, otherwise their nodes. */
const rowLines = ({ name, only_before, only_after }: Query, style: Style): readonly string[] => {
  const lines = (sign: "+" | "-", rows: Query["only_before"]): readonly string[] =>
    (rows?.examples ?? []).map(({ nodes, row }) =>
      style(sign === "+" ? "good" : "bad", shownCell(`${sign} ${name} ${JSON.stringify(row ?? nodes)}`)),
    );
  return [...lines("+", only_after), ...lines("-", only_before)];
};

const reasonOf = ({ code, errors = [] }: NonNullable<Query["refused_before"]>): string =>
  [code, ...errors].join(": ");

/** The reasons why a query is rejected; one line if both states have the same reason. */
const refusalLines = ({ name, refused_before, refused_after }: Query): readonly string[] => {
  const [before, after] = [refused_before, refused_after].map((each) => each && reasonOf(each));
  if (before !== undefined && before === after) return [shownCell(`${name} does not run: ${before}`)];
  return [
    ...(before === undefined ? [] : [`${name} does not run before: ${before}`]),
    ...(after === undefined ? [] : [`${name} does not run after: ${after}`]),
  ].map(shownCell);
};

/** The number of rows of queries before and after, and the rows that only one of the states returns. */
const queriesText = ({ queries = [] }: Simulation, style: Style, width: number | undefined): string => {
  if (queries.length === 0) return "";
  const table = tableOf(
    ["QUERY", "BEFORE", "AFTER", "ONLY BEFORE", "ONLY AFTER"],
    queries.map((each) => [
      each.name,
      each.refused_before === undefined ? (each.rows_before ?? "?") : "-",
      each.refused_after === undefined ? (each.rows_after ?? "?") : "-",
      each.only_before?.count ?? "?",
      each.only_after?.count ?? "?",
    ]),
    { style, width },
  );
  const lines = queries.flatMap((each) => [...refusalLines(each), ...rowLines(each, style)]);
  return `\n${table}${lines.length === 0 ? "" : `\n${lines.join("\n")}\n`}`;
};

const decisionsText = (
  { questions, undetermined }: Simulation,
  style: Style,
  width: number | undefined,
): string => {
  if (questions.length === 0) return "The changes affect no decision.\n";
  const isEvaluated = undetermined.length === 0;
  const table = tableOf(
    ["SUBJECT", "ACTION", "RESOURCE", "GAINED", "LOST"],
    questions.map((each) => [
      each.subject_type,
      each.action,
      each.resource_type,
      amount(each.gained, isEvaluated),
      amount(each.lost, isEvaluated),
    ]),
    { style, width },
  );
  const examples = questions.flatMap((each) => exampleLines(each, style));
  return `${table}${examples.length === 0 ? "" : `\n${examples.join("\n")}\n`}`;
};

export const simulationText = (simulation: Simulation, style: Style, width: number | undefined): string =>
  decisionsText(simulation, style, width) + queriesText(simulation, style, width);

export const warnOfSimulation = (
  { complete, undetermined }: Simulation,
  { error }: CommandEnvironment,
): void => {
  for (const { name, parameters } of undetermined)
    error(`warning: ${name} was not evaluated: it grants nothing without ${parameterOptions(parameters)}\n`);
  if (!complete)
    error(
      "warning: not all subjects were examined, so counts are estimates; increase --budget for exact counts\n",
    );
};

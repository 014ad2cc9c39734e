import type { IkgAdmin, SimulatedQuestion, Simulation, SimulationFields } from "@ikg/client";
import { parameterOptions } from "./fail-on.ts";
import { shownCell } from "../output/cell.ts";
import type { Style } from "../output/style.ts";
import { tableOf } from "../output/table.ts";
import type { Surroundings } from "../surroundings.ts";

type Change = SimulationFields["changes"][number];

/** One call may look so long. */
const longestMs = 120_000;

const show = ({ isTerminal, error }: Surroundings, text: string): void => {
  if (isTerminal) error(`\r\u001b[K${text}`);
};

type Query = NonNullable<Simulation["queries"]>[number];

/** Every query that was asked about, in that order: each call tells those that it ran, and one that none reached is not complete. */
const allQueries = (
  requested: NonNullable<SimulationFields["queries"]>,
  told: ReadonlyMap<number, Query>,
): Query[] => requested.map(({ name }, query) => told.get(query) ?? { query, name, complete: false });

/**
 * Looks until everything is counted or the budget is used up; the last answer has all counts.
 *
 * @param budget seconds
 */
export const runSimulation = async (
  admin: IkgAdmin,
  fields: SimulationFields,
  { budget, around }: { readonly budget: number; readonly around: Surroundings },
): Promise<Simulation> => {
  let result: Simulation | undefined;
  const told = new Map<number, Query>();
  for (let left = budget * 1_000, next: string | undefined; ;) {
    const budget_ms = Math.max(100, Math.min(longestMs, left));
    const request = { ...fields, budget_ms, ...(next !== undefined && { next }) };
    for await (const each of admin.simulations.progress(request)) {
      result = each;
      for (const query of each.queries ?? []) told.set(query.query, query);
      const subjects = each.questions.map(({ subjects }) => subjects);
      const [examined, of] = [
        subjects.reduce((sum, { examined }) => sum + examined, 0),
        subjects.reduce((sum, { of }) => sum + of, 0),
      ];
      show(around, `subjects: ${examined} of ${of}`);
    }
    left -= budget_ms;
    next = result?.next;
    if (result === undefined || result.complete || next === undefined || left <= 0) break;
  }
  show(around, "");
  const { queries } = fields;
  return {
    ...(result ?? { complete: false, milliseconds: 0, questions: [], undetermined: [] }),
    ...(queries !== undefined && { queries: allQueries(queries, told) }),
  };
};

const amount = ({ count, exact, low, high }: SimulatedQuestion["lost"]): string =>
  exact ? String(count) : high === undefined ? "?" : `~${count} (${low ?? 0} to ${high})`;

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

/** Rows of queries before and after; those that only one state answers. */
const queriesText = ({ queries = [] }: Simulation, style: Style, width: number | undefined): string =>
  queries.length === 0
    ? ""
    : `\n${tableOf(
        ["QUERY", "BEFORE", "AFTER", "ONLY BEFORE", "ONLY AFTER"],
        queries.map((each) => [
          each.name,
          each.refused_before?.code ?? each.rows_before,
          each.refused_after?.code ?? each.rows_after,
          each.only_before?.count,
          each.only_after?.count,
        ]),
        { style, width },
      )}`;

const decisionsText = ({ questions }: Simulation, style: Style, width: number | undefined): string => {
  if (questions.length === 0) return "The changes concern no decision.\n";
  const table = tableOf(
    ["SUBJECT", "ACTION", "RESOURCE", "GAINED", "LOST"],
    questions.map((each) => [
      each.subject_type,
      each.action,
      each.resource_type,
      amount(each.gained),
      amount(each.lost),
    ]),
    { style, width },
  );
  const examples = questions.flatMap((each) => exampleLines(each, style));
  return `${table}${examples.length === 0 ? "" : `\n${examples.join("\n")}\n`}`;
};

export const simulationText = (simulation: Simulation, style: Style, width: number | undefined): string =>
  decisionsText(simulation, style, width) + queriesText(simulation, style, width);

export const warnOfSimulation = ({ complete, undetermined }: Simulation, { error }: Surroundings): void => {
  for (const { name, parameters } of undetermined)
    error(`warning: ${name} is not judged: it grants nothing without ${parameterOptions(parameters)}\n`);
  if (!complete)
    error("warning: not every subject was looked at: counts are estimates; --budget gives more time\n");
};

const isAboutQueries = (change: Change): boolean => {
  if (change.collection === "knowledge-queries") return true;
  if (!("record" in change)) return false;
  const { policy } = change.record;
  return /"policy_version"\s*:\s*"[^"]*-ciq"/.test(
    typeof policy === "string" ? policy : JSON.stringify(policy),
  );
};

/** Says that the rows of queries were not looked at, where changes concern some. */
export const warnOfQueries = (changes: readonly Change[], { error }: Surroundings): void => {
  const names = changes.filter(isAboutQueries).map(({ name }) => name);
  if (names.length > 0)
    error(
      `warning: ${names.join(", ")}: rows of queries were not looked at; "queries" in a file for ikg simulate compares them\n`,
    );
};

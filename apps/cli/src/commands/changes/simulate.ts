import type { IkgAdmin, SimulatedQuestion, Simulation, SimulationFields } from "@ikg/client";
import { exceeded, type Threshold, thresholds } from "../../changes/fail-on.ts";
import { type ProposedChanges, readChanges } from "../../changes/read-changes.ts";
import { openAdmin } from "../../connection/clients.ts";
import { collectValues, type Values } from "../../input/value.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import { shownCell } from "../../output/cell.ts";
import type { Style } from "../../output/style.ts";
import { tableOf } from "../../output/table.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { readFields } from "../../records/read-record.ts";
import type { Surroundings } from "../../surroundings.ts";

interface Options {
  readonly param?: Values;
  readonly claims?: string;
  readonly signedIn?: true;
  readonly action?: string;
  readonly subjectType?: string;
  readonly resourceType?: string;
  readonly budget: number;
  readonly examples: number;
  readonly failOn?: readonly Threshold[];
}

type Called = Invocation<[path: string], Options>;

/** One call may look so long. */
const longestMs = 120_000;

const fieldsOf = async (
  proposed: ProposedChanges,
  { options, around }: Called,
): Promise<SimulationFields> => {
  const { param, claims, signedIn, action, subjectType, resourceType, examples } = options;
  return {
    changes: proposed.changes,
    ...(proposed.queries !== undefined && { queries: proposed.queries }),
    inputs: {
      ...proposed.inputs,
      ...(param !== undefined && { input_params: { ...proposed.inputs?.input_params, ...param } }),
      ...(claims !== undefined && { token: await readFields(claims, around) }),
      ...(signedIn === true && { signed_in: true }),
    },
    scope: {
      ...proposed.scope,
      ...(action !== undefined && { action }),
      ...(subjectType !== undefined && { subject_type: subjectType }),
      ...(resourceType !== undefined && { resource_type: resourceType }),
    },
    examples,
  };
};

const show = ({ isTerminal, error }: Surroundings, text: string): void => {
  if (isTerminal) error(`\r\u001b[K${text}`);
};

/** Looks until everything is counted or the budget is used up; the last answer has all counts. */
const simulate = async (
  admin: IkgAdmin,
  fields: SimulationFields,
  { options, around }: Called,
): Promise<Simulation> => {
  let result: Simulation | undefined;
  for (let left = options.budget * 1_000, next: string | undefined; ;) {
    const budget_ms = Math.max(100, Math.min(longestMs, left));
    const request = { ...fields, budget_ms, ...(next !== undefined && { next }) };
    for await (const each of admin.simulations.progress(request)) {
      result = each;
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
  return result ?? { complete: false, milliseconds: 0, questions: [], undetermined: [] };
};

const amount = ({ count, exact, low, high }: SimulatedQuestion["lost"]): string =>
  exact ? String(count) : `~${count} (${low ?? 0} to ${high ?? "?"})`;

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

const textOf = (simulation: Simulation, style: Style, width: number | undefined): string =>
  decisionsText(simulation, style, width) + queriesText(simulation, style, width);

const warn = ({ complete, undetermined }: Simulation, { error }: Surroundings): void => {
  for (const { name, parameters } of undetermined)
    error(
      `warning: ${name} grants nothing here without ${parameters.map((each) => `-p ${each}=…`).join(" ")}\n`,
    );
  if (!complete)
    error("warning: not every subject was looked at: counts are estimates; --budget gives more time\n");
};

/** `ikg simulate`: whose access changes, before anything is changed. */
export const command: CommandModule<[path: string], Options> = {
  description: [
    "Nothing is stored. The changes are a file with a policy, with its record or with {changes, inputs, queries}, or a folder of policies (NAME.yaml, NAME.json), each put as its file says; policies without a file stay as they are.",
    "--fail-on is for CI: lost fails when anybody loses access, gained>100 when more than 100 pairs gain it; of an estimate the upper end counts.",
  ],
  examples: [
    {
      does: "Whose access would a change give or take?",
      command: "ikg simulate examples/airfield/changes/fifty-hours.json",
    },
    {
      does: "A folder of policies, in CI",
      command: "ikg simulate examples/airfield/policies -p min_hours=100 --fail-on 'lost,gained>100'",
    },
  ],
  exitCodes: { 0: "looked at", 1: "--fail-on is exceeded" },
  configure: (command) =>
    void command
      .argument("<path>", "file or folder; - for standard input")
      .option("-p, --param <name=value>", "a parameter of policies; several times", collectValues)
      .option("--claims <file>", "claims of every subject's token, JSON or YAML")
      .option("--signed-in", "every subject has a token of its own")
      .option("--subject-type <type>", "subjects of this type alone")
      .option("--action <name>", "this action alone")
      .option("--resource-type <type>", "resources of this type alone")
      .option("--budget <seconds>", "how long it may look", wholeNumber(1, 86_400), 30)
      .option("--examples <number>", "examples of each list", wholeNumber(0, 100), 20)
      .option("--fail-on <thresholds>", "lost, gained, lost>N, gained>N, by commas", thresholds),
  run: async (called) => {
    const { args, options, around, print } = called;
    const proposed = await readChanges(args[0], around);
    const admin = await openAdmin(called);
    const simulation = await simulate(admin, await fieldsOf(proposed, called), called);
    warn(simulation, around);
    await print.text(textOf(simulation, print.style, print.width), simulation);
    const failures = exceeded(simulation.questions, options.failOn ?? []);
    for (const failure of failures) around.error(`--fail-on: ${failure}\n`);
    return failures.length > 0 ? 1 : 0;
  },
};

import type { SimulationFields } from "@ikg/client";
import { exceeded, type Threshold, thresholds } from "../../changes/fail-on.ts";
import { claimsHelp, parameterHelp, signedInHelp } from "../../changes/option-help.ts";
import { withPlaces } from "../../changes/placed-faults.ts";
import { type ProposedChanges, readChanges } from "../../changes/read-changes.ts";
import { queriesChanged, warnOfQueries } from "../../changes/query-warning.ts";
import { runSimulation, simulationText, warnOfSimulation } from "../../changes/simulation.ts";
import { openAdmin } from "../../connection/clients.ts";
import { collectValues, type Values } from "../../input/value.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { readFields } from "../../records/read-record.ts";

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

/** `ikg simulate`: whose access changes, before anything is changed. */
export const command: CommandModule<[path: string], Options> = {
  description: [
    "Nothing is stored. The changes are a file with a policy, with its record or with {changes, inputs, queries}, or a folder of policies (NAME.yaml, NAME.json), each put as its file says; policies without a file stay as they are.",
    "A policy whose parameters (-p) are missing grants nothing before and after: it is not judged, a warning says so, and the table has ?.",
    "--fail-on is for CI: lost fails when anybody loses access or a query loses a row, gained>100 when more than 100 pairs and rows are gained; of an estimate the upper end counts. What cannot be judged fails, too: a policy whose parameters are missing (-p), or a question for which there was no time.",
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
  exitCodes: { 0: "looked at", 1: "--fail-on is exceeded, or something is not judged" },
  configure: (command) =>
    void command
      .argument("<path>", "file or folder; - for standard input")
      .option("-p, --param <name=value>", parameterHelp, collectValues)
      .option("--claims <file>", claimsHelp)
      .option("--signed-in", signedInHelp)
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
    const fields = await fieldsOf(proposed, called);
    const { budget } = options;
    const simulation = await withPlaces(proposed, around, () =>
      runSimulation(admin, fields, { budget, around }),
    );
    warnOfSimulation(simulation, around);
    if (proposed.queries === undefined) warnOfQueries(await queriesChanged(admin, proposed.changes), around);
    await print.text(simulationText(simulation, print.style, print.width), simulation);
    const failures = exceeded(simulation, options.failOn ?? []);
    for (const failure of failures) around.error(`--fail-on: ${failure}\n`);
    return failures.length > 0 ? 1 : 0;
  },
};

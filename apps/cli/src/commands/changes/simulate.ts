import type { SimulationFields } from "@ikg/client";
import { type Threshold, thresholdFailures, thresholds } from "../../changes/fail-on.ts";
import { claimsHelp, parameterHelp, signedInHelp } from "../../changes/option-help.ts";
import { withLocatedErrors } from "../../project-folder/located-errors.ts";
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

type Call = Invocation<[path: string], Options>;

const fieldsOf = async (
  proposed: ProposedChanges,
  { options, environment }: Call,
): Promise<SimulationFields> => {
  const { param, claims, signedIn, action, subjectType, resourceType, examples } = options;
  return {
    changes: proposed.changes,
    ...(proposed.queries !== undefined && { queries: proposed.queries }),
    inputs: {
      ...proposed.inputs,
      ...(param !== undefined && { input_params: { ...proposed.inputs?.input_params, ...param } }),
      ...(claims !== undefined && { token: await readFields(claims, environment) }),
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

/** `ikg simulate`: shows whose access would change. */
export const command: CommandModule<[path: string], Options> = {
  description: [
    "Nothing is stored. The changes are a file with a policy, a policy record or {changes, inputs, queries}, or a folder of policies (NAME.yaml, NAME.json). Each policy of a folder is created or replaced; policies without a file are not changed.",
    "A policy whose parameters (-p) are missing grants nothing before and after: it is not evaluated, which is reported as a warning and as ? in the table.",
    "--fail-on is for CI: lost fails if any access or a row of a query is lost, gained>100 fails if more than 100 pairs and rows are gained; of an estimate, the upper bound counts. Whatever cannot be evaluated also fails: a policy whose parameters are missing (-p), or a question that exceeded the time limit.",
  ],
  examples: [
    {
      purpose: "Show whose access a change would grant or revoke",
      command: "ikg simulate examples/airfield/changes/fifty-hours.json",
    },
    {
      purpose: "Check a folder of policies in CI",
      command: "ikg simulate examples/airfield/policies -p min_hours=100 --fail-on 'lost,gained>100'",
    },
  ],
  exitCodes: { 0: "no threshold is exceeded", 1: "--fail-on is exceeded, or something was not evaluated" },
  configure: (command) =>
    void command
      .argument("<path>", "file or folder; - for standard input")
      .option("-p, --param <name=value>", parameterHelp, collectValues)
      .option("--claims <file>", claimsHelp)
      .option("--signed-in", signedInHelp)
      .option("--subject-type <type>", "only subjects of this type")
      .option("--action <name>", "only this action")
      .option("--resource-type <type>", "only resources of this type")
      .option("--budget <seconds>", "time limit of the simulation", wholeNumber(1, 86_400), 30)
      .option("--examples <number>", "maximum number of examples per list", wholeNumber(0, 100), 20)
      .option("--fail-on <thresholds>", "comma-separated: lost, gained, lost>N, gained>N", thresholds),
  run: async (call) => {
    const { args, options, environment, print } = call;
    const proposed = await readChanges(args[0], environment);
    const admin = await openAdmin(call);
    const fields = await fieldsOf(proposed, call);
    const { budget } = options;
    const simulation = await withLocatedErrors(proposed, environment, () =>
      runSimulation(admin, fields, { budget, environment }),
    );
    warnOfSimulation(simulation, environment);
    if (proposed.queries === undefined)
      warnOfQueries(await queriesChanged(admin, proposed.changes), environment);
    await print.text(simulationText(simulation, print.style, print.width), simulation);
    const failures = thresholdFailures(simulation, options.failOn ?? []);
    for (const failure of failures) environment.error(`--fail-on: ${failure}\n`);
    return failures.length > 0 ? 1 : 0;
  },
};

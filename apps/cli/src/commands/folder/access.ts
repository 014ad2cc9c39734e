import type { IkgAdmin, Simulation } from "@ikg/client";
import type { Command } from "commander";
import { type Threshold, thresholdFailures, thresholds } from "../../changes/fail-on.ts";
import { claimsHelp, parameterHelp, signedInHelp } from "../../changes/option-help.ts";
import { warnOfQueries } from "../../changes/query-warning.ts";
import { runSimulation, warnOfSimulation } from "../../changes/simulation.ts";
import { collectValues, type Values } from "../../input/value.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import { readFields } from "../../records/read-record.ts";
import { type ComparedFolder, withFolder } from "./compare-folder.ts";
import { CommandFault, type CommandEnvironment } from "../../command-environment.ts";

/** Options of simulations of access. */
export interface AccessOptions {
  readonly param?: Values;
  readonly claims?: string;
  readonly signedIn?: true;
  readonly budget: number;
  readonly access?: boolean;
  readonly failOn?: readonly Threshold[];
}

export const addAccessOptions = (command: Command): Command =>
  command
    .option("-p, --param <name=value>", parameterHelp, collectValues)
    .option("--claims <file>", claimsHelp)
    .option("--signed-in", signedInHelp)
    .option("--budget <seconds>", "time limit of the simulation", wholeNumber(1, 86_400), 30)
    .option("--no-access", "skip the simulation of access")
    .option("--fail-on <thresholds>", "comma-separated: lost, gained, lost>N, gained>N", thresholds);

/** Whose access the changes grant and revoke; undefined if it is disabled, or no policy changes. */
export const accessOf = async (
  admin: IkgAdmin,
  folder: ComparedFolder,
  options: AccessOptions,
  environment: CommandEnvironment,
): Promise<Simulation | undefined> => {
  if (options.access === false && options.failOn !== undefined)
    throw new CommandFault("--fail-on requires the simulation, which --no-access skips");
  const { queries } = folder;
  const { changes } = folder.changes;
  if (options.access === false || changes.length === 0) return undefined;
  const { param, claims, signedIn, budget } = options;
  const fields = {
    changes,
    inputs: {
      ...(param !== undefined && { input_params: { ...param } }),
      ...(claims !== undefined && { token: await readFields(claims, environment) }),
      ...(signedIn === true && { signed_in: true }),
    },
    examples: 20,
  };
  const simulation = await withFolder(admin, folder, environment, () =>
    runSimulation(admin, fields, { budget, environment }),
  );
  warnOfSimulation(simulation, environment);
  warnOfQueries(queries, environment);
  return simulation;
};

/** The exceeded thresholds of `--fail-on`, and what was not evaluated. */
export const failuresOf = (
  simulation: Simulation | undefined,
  { failOn = [] }: AccessOptions,
): readonly string[] => (simulation === undefined ? [] : thresholdFailures(simulation, failOn));

export const showFailures = (failures: readonly string[], { error }: CommandEnvironment): void => {
  for (const failure of failures) error(`--fail-on: ${failure}\n`);
};

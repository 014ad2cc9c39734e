import type { IkgAdmin, Simulation } from "@ikg/client";
import type { Command } from "commander";
import { exceeded, type Threshold, thresholds } from "../../changes/fail-on.ts";
import { runSimulation, warnOfQueries, warnOfSimulation } from "../../changes/simulation.ts";
import { collectValues, type Values } from "../../input/value.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import { changesOf } from "../../project-folder/changes-of.ts";
import type { Differences } from "../../project-folder/difference.ts";
import { readFields } from "../../records/read-record.ts";
import { CommandFault, type Surroundings } from "../../surroundings.ts";

/** Options about whose access changes. */
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
    .option("-p, --param <name=value>", "a parameter of policies; several times", collectValues)
    .option("--claims <file>", "claims of every subject's token, JSON or YAML")
    .option("--signed-in", "every subject has a token of its own")
    .option("--budget <seconds>", "how long it may look", wholeNumber(1, 86_400), 10)
    .option("--no-access", "does not look whose access changes")
    .option("--fail-on <thresholds>", "lost, gained, lost>N, gained>N, by commas", thresholds);

/** Whose access the changes give and take; undefined where that is not wanted, or no policy changes. */
export const accessOf = async (
  admin: IkgAdmin,
  { texts }: Differences,
  options: AccessOptions,
  around: Surroundings,
): Promise<Simulation | undefined> => {
  if (options.access === false && options.failOn !== undefined)
    throw new CommandFault("--fail-on needs what --no-access leaves out");
  if (options.access === false || texts.length === 0) return undefined;
  const { param, claims, signedIn, budget } = options;
  const fields = {
    changes: changesOf(texts),
    inputs: {
      ...(param !== undefined && { input_params: { ...param } }),
      ...(claims !== undefined && { token: await readFields(claims, around) }),
      ...(signedIn === true && { signed_in: true }),
    },
    examples: 20,
  };
  const simulation = await runSimulation(admin, fields, { budget, around });
  warnOfSimulation(simulation, around);
  if (options.failOn !== undefined) warnOfQueries(fields.changes, around);
  return simulation;
};

/** Says which limits of `--fail-on` are exceeded, and what was not judged. @returns whether there is anything */
export const failsOn = (
  simulation: Simulation | undefined,
  { failOn = [] }: AccessOptions,
  { error }: Surroundings,
): boolean => {
  const failures = simulation === undefined ? [] : exceeded(simulation, failOn);
  for (const failure of failures) error(`--fail-on: ${failure}\n`);
  return failures.length > 0;
};

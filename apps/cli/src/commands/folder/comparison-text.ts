import type { Simulation } from "@ikg/client";
import { simulationText } from "../../changes/simulation.ts";
import type { Print } from "../../output/print.ts";
import type { Differences } from "../../project-folder/difference.ts";
import { differenceText, planText } from "../../project-folder/difference-text.ts";

/** The comparison of a folder with the project, as printed in JSON. */
export interface Comparison extends Differences {
  readonly access?: Simulation;
}

/** The differences, their number, and whose access they change. */
export const comparisonText = async (
  { access, ...compared }: Comparison,
  { style, width }: Print,
): Promise<string> =>
  [
    await differenceText(compared, style),
    `${planText(compared)}\n`,
    ...(access === undefined ? [] : [simulationText(access, style, width)]),
  ].join("\n");

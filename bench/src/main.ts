/** The measurements of `npm run bench`, each beside a baseline; most against a running suite (`IKG_ENVIRONMENT`). */
import { IkgError, IkgUnreachable } from "@ikg/client";
import { chooseMeasurements, measurements } from "./measurements.ts";
import { asksForHelp, help, type Options, readOptions } from "./options.ts";
import { say } from "../../stack/launch/progress.mjs";
import { readTarget, UserError } from "./settings.ts";

const run = async (name: string, options: Options): Promise<boolean> => {
  const measurement = measurements.get(name);
  if (measurement === undefined) throw new Error(`no measurement ${name}`);
  return measurement.needsSuite
    ? measurement.measure(readTarget(process.env), options)
    : measurement.measure();
};

try {
  const args = process.argv.slice(2);
  const names = chooseMeasurements(args);
  if ("unknown" in names) {
    const known = [...measurements.keys()].join(", ");
    throw new UserError(`There is no measurement "${names.unknown}"; there is: ${known}.`);
  }
  if (asksForHelp(args)) help(measurements.keys()).forEach(say);
  else {
    const options = readOptions(args);
    if (names.length === 0) throw new UserError("Nothing ran: no measurement was chosen.");
    let all = true;
    for (const name of names) all = (await run(name, options)) && all;
    process.exitCode = all ? 0 : 1;
  }
} catch (error) {
  const isPlain = [UserError, IkgError, IkgUnreachable].some((kind) => error instanceof kind);
  console.error(isPlain ? (error as Error).message : error);
  process.exitCode = 1;
}

/** npm run bench [NAME …]: measurements, each beside a baseline; most against a running suite (`IKG_ENVIRONMENT`). */
import { chooseMeasurements, measurements } from "./measurements.ts";
import { readTarget, Refusal } from "./settings.ts";

const run = async (name: string): Promise<boolean> => {
  const measurement = measurements.get(name);
  if (measurement === undefined) throw new Error(`no measurement ${name}`);
  return measurement.needsSuite ? measurement.measure(readTarget(process.env)) : measurement.measure();
};

try {
  const names = chooseMeasurements(process.argv.slice(2));
  if ("unknown" in names) {
    const known = [...measurements.keys()].join(", ");
    throw new Refusal(`There is no measurement "${names.unknown}"; there is: ${known}.`);
  }
  let all = true;
  for (const name of names) all = (await run(name)) && all;
  process.exitCode = all ? 0 : 1;
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

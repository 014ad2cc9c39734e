/** npm run bench [NAME]: measurements against a running suite (`IKG_ENVIRONMENT`), each beside a baseline. */
import { decisions } from "./decisions/decisions.ts";
import { readTarget, Refusal, type Target } from "./settings.ts";

/** Each answers whether its mark holds. */
const measurements: Readonly<Record<string, (target: Target) => Promise<boolean>>> = { decisions };

const chosen = (given: readonly string[]): readonly string[] => {
  const known = Object.keys(measurements);
  const unknown = given.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Refusal(`There is no measurement "${unknown}"; there is: ${known.join(", ")}.`);
  return given.length > 0 ? given : known;
};

try {
  const names = chosen(process.argv.slice(2));
  const target = readTarget(process.env);
  let all = true;
  for (const name of names) all = (await measurements[name]?.(target)) === true && all;
  process.exitCode = all ? 0 : 1;
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

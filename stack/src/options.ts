/** Options of a command: switches only, and what is left. */
import { UserError } from "../launch/user-error.mjs";

export interface Switch {
  readonly name: string;
  readonly meaning: string;
}

/**
 * @returns the switches that were given
 * @throws UserError naming the first argument that is not one of them
 */
export const parseSwitches = (args: readonly string[], known: readonly Switch[]): ReadonlySet<string> => {
  const given = new Set<string>();
  for (const argument of args) {
    const found = known.find(({ name }) => argument === `--${name}`);
    if (!found) {
      const names = known.map((option) => `--${option.name}`).join(", ");
      throw new UserError(
        `Unknown option ${argument}. ${names === "" ? "There are none here." : `Known: ${names}.`}`,
      );
    }
    given.add(found.name);
  }
  return given;
};

/** One line per switch, aligned. */
export const describeSwitches = (known: readonly Switch[]): string[] => {
  const width = Math.max(...known.map(({ name }) => name.length));
  return known.map(({ name, meaning }) => `  --${name.padEnd(width)}  ${meaning}`);
};

/** The value after `--name`, and the arguments without the two. */
export const takeValue = (
  args: readonly string[],
  name: string,
): { value: string | undefined; rest: string[] } => {
  const at = args.indexOf(`--${name}`);
  if (at === -1) return { value: undefined, rest: [...args] };
  const value = args[at + 1];
  if (value === undefined || value.startsWith("--")) throw new UserError(`--${name} needs a value.`);
  return { value, rest: [...args.slice(0, at), ...args.slice(at + 2)] };
};

import { say } from "../../../launch/progress.mjs";
import { UserError } from "../../../launch/user-error.mjs";

/**
 * Prints the help of a test command if it is asked for. Names of tests are words; a word with hyphens in front would
 * otherwise be looked for in all of them, on a suite that is started for it.
 *
 * @param options that the command knows besides
 * @returns whether it was
 * @throws UserError for another option
 */
export const printedHelp = (
  words: readonly string[],
  lines: readonly string[],
  options: readonly string[] = [],
): boolean => {
  const option = words.find((word) => word.startsWith("-") && !options.includes(word));
  if (option === undefined) return false;
  if (option !== "--help" && option !== "-h")
    throw new UserError(
      `Unknown option ${option}. Known: ${["--help", ...options].join(", ")}. A regular expression may begin with \\-.`,
    );
  for (const line of lines) say(line);
  return true;
};

/** Help of a command that runs parts of its own, or end-to-end tests. */
export const partsHelp = (command: string, parts: readonly string[]): readonly string[] => [
  `npm run ${command}                everything`,
  `npm run ${command} -- PART …      some parts: ${parts.join(", ")}`,
  `npm run ${command} -- PATTERN     end-to-end test files whose path matches, else tests whose name does`,
];

import type { Words } from "./words.ts";

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;

const optionLine = (
  condition: string,
  { flag, description, takesValue }: Words["options"][number],
): string => {
  const name = flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
  const values =
    flag === "-o" || flag === "--output" ? " -xa 'table json yaml csv ndjson'" : takesValue ? " -r" : "";
  return `complete -c ikg -n ${quoted(condition)} ${name}${values} -d ${quoted(description)}`;
};

/** When the words so far are those of a path. */
const conditionOf = (path: string): string =>
  path === ""
    ? "true"
    : path
        .split(" ")
        .map((word) => `__fish_seen_subcommand_from ${word}`)
        .join("; and ");

/** Completion of fish: `ikg completion fish | source`. */
export const fishCompletion = (all: readonly Words[]): string => {
  const lines = all.flatMap(({ path, commands, options }) => {
    const names = commands.map(({ name }) => name).join(" ");
    const before =
      path === ""
        ? "__fish_use_subcommand"
        : `${conditionOf(path)}; and not __fish_seen_subcommand_from ${names}`;
    const global = path === "" ? [] : (all.find((each) => each.path === "")?.options ?? []);
    const own = options.filter(({ flag }) => !global.some((each) => each.flag === flag));
    return [
      ...commands.map(
        ({ name, summary }) => `complete -c ikg -n ${quoted(before)} -f -a ${name} -d ${quoted(summary)}`,
      ),
      ...own.map((option) => optionLine(conditionOf(path), option)),
    ];
  });
  return `# Completion of ikg for fish: ikg completion fish | source\n${lines.join("\n")}\n`;
};

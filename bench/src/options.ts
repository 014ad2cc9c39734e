/** Options of `npm run bench`; names of measurements are everything else. */
import { type LoadName, loadNames } from "./neighbours/load-names.ts";
import { UserError } from "./settings.ts";

/** Of the data set "drive": 10^4, 10^5 and 10^6 nodes. */
export type Size = "S" | "M" | "L";

export interface Options {
  /** largest data set "drive" whose decisions are compared with those of the smallest, and the one of `authoring` */
  readonly largest: "M" | "L";
  /** number of write-then-decide pairs */
  readonly freshness: number;
  /** how long memory is also watched, under the load of the most callers */
  readonly soakMinutes: number;
  /** how many nodes `trust` scores in one run */
  readonly nodes: number;
  /** how many records `audit` stores, exports and verifies */
  readonly records: number;
  /** rows that `cli` imports, each a node and two relationships */
  readonly rows: number;
  /** seconds of one phase of `neighbours` */
  readonly seconds: number;
  /** the one load of `neighbours` that is measured; undefined: each of them */
  readonly load: LoadName | undefined;
}

interface Option {
  /** What values are accepted, and in brackets what they mean. */
  readonly meaning: string;
  readonly pattern: RegExp;
}

const known: Readonly<Record<string, Option>> = {
  size: {
    meaning:
      "M or L (largest data set of `access`, and the one of `authoring`, whose targets are about L; L takes some minutes; default M)",
    pattern: /^[ML]$/,
  },
  freshness: {
    meaning: "a positive integer (number of write-then-decide pairs of `access`; default 1000)",
    pattern: /^[1-9]\d*$/,
  },
  nodes: { meaning: "a positive integer (nodes of a run of `trust`; default 100000)", pattern: /^[1-9]\d*$/ },
  records: {
    meaning: "a positive integer (records that `audit` stores, exports and verifies; default 1000000)",
    pattern: /^[1-9]\d*$/,
  },
  rows: {
    meaning:
      "a positive integer (rows that `cli` imports, each a node and two relationships; default 30000, 1000000 for its targets)",
    pattern: /^[1-9]\d*$/,
  },
  seconds: {
    meaning: "an integer from 1 to 99 (seconds of a phase of `neighbours`; default 6)",
    pattern: /^[1-9]\d?$/,
  },
  load: {
    meaning: `${loadNames.join(", ")} (the only load that \`neighbours\` measures; default all)`,
    pattern: new RegExp(`^(${loadNames.join("|")})$`),
  },
  soak: {
    meaning: "a positive integer (minutes for which `access` also watches memory; default none)",
    pattern: /^[1-9]\d*$/,
  },
};

const isOption = (argument: string): boolean => argument.startsWith("--");

/** The arguments that are no options: every option but `--help` has a value, which is the argument behind it. */
export const namesOf = (args: readonly string[]): readonly string[] =>
  args.filter((argument, at) => !isOption(argument) && !isOption(args[at - 1] ?? ""));

export const asksForHelp = (args: readonly string[]): boolean => args.includes("--help");

/** @throws UserError naming the unknown option or invalid value */
export const readOptions = (args: readonly string[]): Options => {
  const given = new Map<string, string>();
  args.forEach((argument, at) => {
    if (!isOption(argument)) return;
    const name = argument.slice(2);
    const option = known[name];
    const value = args[at + 1];
    if (option === undefined) throw new UserError(`Unknown option ${argument}. Try --help.`);
    if (value === undefined || !option.pattern.test(value))
      throw new UserError(`${argument}: expected ${option.meaning}`);
    given.set(name, value);
  });
  return {
    largest: given.get("size") === "L" ? "L" : "M",
    freshness: Number(given.get("freshness") ?? 1_000),
    soakMinutes: Number(given.get("soak") ?? 0),
    nodes: Number(given.get("nodes") ?? 100_000),
    records: Number(given.get("records") ?? 1_000_000),
    rows: Number(given.get("rows") ?? 30_000),
    seconds: Number(given.get("seconds") ?? 6),
    load: loadNames.find((name) => name === given.get("load")),
  };
};

/** Lines of the help. */
export const help = (measurements: Iterable<string>): readonly string[] => [
  "npm run bench [NAME …] [-- OPTION …]",
  `Measurements, all when none is named: ${[...measurements].join(", ")}.`,
  "Each writes its section of docs/benchmarks.md. access and neighbours take six minutes each, access with --size L some more.",
  ...Object.entries(known).map(([name, { meaning }]) => `  --${name.padEnd(10)} ${meaning}`),
];

/** Packages of Debian and Ubuntu, installed without a question. */
import { step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";

/** Prefix of a command that needs root: empty for root, otherwise sudo if it asks for no password. */
export const findRootPrefix = async (): Promise<readonly string[] | undefined> => {
  if (process.getuid?.() === 0) return [];
  const { code } = await runProgram("sudo", ["-n", "true"]);
  return code === 0 ? ["sudo", "-n"] : undefined;
};

const variables = [
  "DEBIAN_FRONTEND=noninteractive",
  "NEEDRESTART_MODE=l",
  "NEEDRESTART_SUSPEND=1",
  "LC_ALL=C",
];

/** The progress in a line of apt-get. */
export const aptProgress = (line: string): string | undefined => {
  const [, verb = "", name = ""] = /^(Get:\d+ \S+ \S+ \S+|Unpacking|Setting up) (\S+)/.exec(line) ?? [];
  if (name === "") return undefined;
  return `${verb.startsWith("Get:") ? "fetching" : verb.toLowerCase()} ${name}`;
};

/** First package of the list that the package sources have. */
const firstAvailable = async (names: readonly string[]): Promise<string | undefined> => {
  for (const name of names) {
    const { code, tail } = await runProgram("apt-cache", ["policy", name]);
    if (code === 0 && tail.some((line) => /Candidate: (?!\(none\))/.test(line))) return name;
  }
  return undefined;
};

/**
 * @param needs for each thing that is missing: what it is, and its possible package names, the preferred one first
 * @throws UserError when this user may not install, or apt-get fails
 */
export const aptInstall = async (
  needs: readonly { readonly what: string; readonly packages: readonly string[] }[],
  signal: AbortSignal,
): Promise<void> => {
  const missing = needs.map(({ what }) => what).join(", ");
  if ((await runProgram("apt-get", ["--version"])).code !== 0)
    throw new UserError(`Missing: ${missing}. Without apt-get they must be installed by hand.`);
  const known = await Promise.all(
    needs.map(async ({ packages }) => (await firstAvailable(packages)) ?? packages[0]),
  );
  const byHand = `apt-get install ${known.join(" ")}`;
  const prefix = await findRootPrefix();
  if (!prefix)
    throw new UserError(
      `Missing: ${missing}. This user may not install them (no root, no sudo without a password). ` +
        `Ask an administrator for: ${byHand}`,
    );
  const apt = async (args: readonly string[], report: (text: string) => void) => {
    const [program = "env", ...rest] = [
      ...prefix,
      "env",
      ...variables,
      "apt-get",
      "-o",
      "DPkg::Lock::Timeout=600",
      ...args,
    ];
    const { code, tail } = await runProgram(program, rest, {
      signal,
      onLine: (line) => {
        const progress = aptProgress(line);
        if (progress) report(progress);
      },
    });
    if (code === 0) return;
    const reason = tail.findLast((line) => line.startsWith("E: ")) ?? tail.at(-1) ?? "";
    throw new UserError(`apt-get ${args[0]} failed (${reason}). Install by hand: ${byHand}`);
  };
  await step(`apt: ${missing}`, async (report) => {
    await apt(["update"], report);
    const packages = await Promise.all(
      needs.map(async ({ what, packages: names }) => {
        const found = await firstAvailable(names);
        if (!found) throw new UserError(`The package sources have no ${what} (${names.join(", ")}).`);
        return found;
      }),
    );
    // Slim systems leave the manuals out, and Java's package fails to link its own into a folder that is not there.
    const [program, ...rest] = [...prefix, "mkdir", "-p", "/usr/share/man/man1"];
    await runProgram(program, rest, { signal });
    await apt(["install", "--yes", "--no-install-recommends", ...packages], report);
  });
};

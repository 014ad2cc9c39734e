/** Shell blocks of the README and of pages that continue from it, run as a reader pastes them. */
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environment } from "../environment.ts";

const root = new URL("../../../", import.meta.url);
/** The environment of the suite, which the commands keep their files next to. */
const shared = process.env["IKG_ENVIRONMENT"] ?? "";
/** Of this test file alone: two files that follow the README at the same time do not take each other's project. */
export const folder = mkdtempSync(join(dirname(shared), "pasted-"));
const own = join(folder, "environment.json");
copyFileSync(shared, own);
/** What the examples call their project in this process. */
export const airfield = `airfield-${process.pid}`;

/** The blocks of some sections. The suite of the tests is already running, on an address of its own. */
export const blocks = (page: string, ...titles: readonly string[]): string => {
  const text = readFileSync(new URL(page, root), "utf8");
  const sections = titles.map((title) => text.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "");
  return [...sections.join("\n").matchAll(/^ *```sh\n([\s\S]*?)```/gm)]
    .map(([, block = ""]) => block)
    .join("\n")
    .replace("airfield.mjs set-up", `airfield.mjs set-up --name ${airfield}`)
    .replaceAll('"${IKG_HOME:-.ikg}/airfield.env"', `${folder}/airfield.env`);
};

/** Runs a script in the folder of the repository. */
export const shell = (script: string): SpawnSyncReturns<string> =>
  spawnSync("bash", ["-c", `set -u\n${script}`], {
    encoding: "utf8",
    timeout: 150_000,
    cwd: fileURLToPath(root),
    env: { ...process.env, IKG_ENVIRONMENT: own },
  });

/**
 * The lines that a script prints.
 *
 * @param warnings what it is to write to standard error
 * @throws Error where it fails or writes anything else there
 */
export const paste = (script: string, warnings = ""): readonly string[] => {
  if (!environment().base_url.startsWith("http")) throw new Error("the suite has no address");
  const { stdout, stderr, status } = shell(script);
  if (status !== 0 || stderr !== warnings) throw new Error(`status ${status}: ${stderr}`);
  return stdout.replaceAll("}{", "}\n{").split("\n").filter(Boolean);
};

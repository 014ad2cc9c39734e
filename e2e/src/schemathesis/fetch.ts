import { execFileSync } from "node:child_process";
import { join } from "node:path";

const version = "4.32.5";

/**
 * Fetches schemathesis from PyPI into a folder of the test.
 *
 * @returns its program
 * @throws Error when Python, its venv or PyPI is missing
 */
export const fetchSchemathesis = (folder: string): string => {
  const programs = join(folder, "venv", "bin");
  execFileSync("python3", ["-m", "venv", join(folder, "venv")], { stdio: "pipe" });
  execFileSync(join(programs, "pip"), ["install", "--quiet", `schemathesis==${version}`], { stdio: "pipe" });
  return join(programs, "schemathesis");
};

/** The package as users get it: built and packed. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../build.ts";

export interface PackedCli {
  /** Where everything else may go, too. */
  readonly folder: string;
  /** The built files. */
  readonly built: string;
  readonly tarball: string;
  remove(): void;
}

export const runProgram = (name: string, args: readonly string[], cwd: string): string =>
  execFileSync(name, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

export const packCli = async (): Promise<PackedCli> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-cli-"));
  const built = await build(join(folder, "built"));
  const [packed = ""] = runProgram("npm", ["pack", built, "--silent"], folder).trim().split("\n").slice(-1);
  return {
    folder,
    built,
    tarball: join(folder, packed),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** Software bills of materials, by pnpm itself: CycloneDX 1.7 from pnpm-lock.yaml. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { versions } from "../versions.ts";
import { run, type RunOptions } from "./run.ts";

interface Bill {
  readonly bomFormat: string;
  readonly components: readonly unknown[];
}

/** One for the whole suite, and one for each image and published package. @returns the names of the files */
export const writeSboms = async (
  folder: string,
  packages: readonly string[],
  options: RunOptions,
): Promise<readonly string[]> => {
  mkdirSync(folder, { recursive: true });
  const kind = [
    "sbom",
    "--sbom-format",
    "cyclonedx",
    "--sbom-type",
    "application",
    "--lockfile-only",
    "--prod",
  ];
  const files = [];
  for (const name of ["ikg", ...packages]) {
    const filter = name === "ikg" ? [] : ["--filter", name];
    const text = await run("npx", ["-y", `pnpm@${versions.pnpm}`, ...filter, ...kind], options);
    const bill = JSON.parse(text) as Bill; // as CycloneDX has it
    if (bill.bomFormat !== "CycloneDX") throw new Error(`pnpm sbom of ${name} wrote no CycloneDX`);
    const file = `${name.replace("@ikg/", "").replace("service-", "")}.cdx.json`;
    writeFileSync(join(folder, file), text);
    files.push(file);
  }
  return files;
};

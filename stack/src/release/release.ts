/** The steps of a release, in their order. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { schemaVersions } from "@ikg/graph";
import { step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
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

/** What a release is made of, as it is before anything is changed. */
interface Source {
  readonly commit: string;
  readonly notes: string;
  /** Undefined where tests are skipped. */
  readonly tests: AcceptedRun | undefined;
}

/** The commit that a release makes, and is of. */
interface ReleaseCommit {
  readonly revision: string;
  /** RFC 3339. */
  readonly created: string;
}

type Say = (line: string) => void;

const git = (options: RunOptions, ...args: readonly string[]): Promise<string> => run("git", args, options);

/** @throws UserError with the first thing that is not as a release needs it */
const check = async (
  { version, keyFile, skipped, acceptSkipped }: ReleaseOptions,
  options: RunOptions,
  say: Say,
): Promise<Source> => {
  const commit = cleanCommit();
  if (commit === undefined)
    throw new UserError("The working tree has uncommitted changes; commit or stash them first.");
  if ((await git(options, "tag", "--list", `v${version}`)).trim() !== "")
    throw new UserError(`The tag v${version} exists already.`);
  const notes = releaseNotes(readFileSync(inRepository("CHANGELOG.md"), "utf8"), version);
  if (keyFile !== undefined) checkKey(keyFile);
  const tests = skipped.tests === undefined ? requireGreenRun(commit, acceptSkipped) : undefined;
  for (const [part, reason] of Object.entries(skipped))
    if (reason !== undefined) say(`Without ${part.replace("-", " ")}: ${reason}`);
  if (tests?.skippedAccepted !== undefined)
    for (const name of tests.skipped) say(`Skipped (${tests.skippedAccepted}): ${name}`);
  return { commit, notes, tests };
};

/** Where the data set of a release is, which the tests of the next one upgrade (stack/src/data-set). */
const dataSetOf = (version: string): string => inRepository("stack", "data-sets", `${version}.ndjson.gz`);

/** Fills a scratch suite of this tree and keeps what its database holds. */
const writeDataSet = (file: string, version: string, options: RunOptions): Promise<unknown> =>
  run(process.execPath, [inRepository("stack", "src", "data-set", "write.ts"), file, version], options);

/** Writes what the release changes in the tree, and commits it. */
const commitRelease = async (
  { version, skipped }: ReleaseOptions,
  options: RunOptions,
): Promise<ReleaseCommit> => {
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
  commit: ReleaseCommit,
  options: RunOptions,
): Promise<Digests> => {
  const packages = [...services.map((name) => `@ikg/service-${name}`), "@ikg/client", "@ikg/cli"];
  await step("bills of materials", () => writeSboms(join(folder, "sbom"), packages, options));
  await step("packages", () => packPackages(join(folder, "packages"), options));
  const dataSet = dataSetOf(version);
  if (existsSync(dataSet)) copyFileSync(dataSet, join(folder, `data-set-${basename(dataSet)}`));
  const digests =
    skipped.images === undefined
      ? await step("images", () => buildImages(join(folder, "images"), { version, ...commit }, options))
      : {};
  const pins = { version, registry, digests };
  await step("manifests", async () => {
    await packKubernetes(folder, pins, options);
    await packChart(folder, pins, options);
    await packCompose(folder, pins, options);
  });
  await step("documentation", () => packDocs(folder, version, options));
  return digests;
};

/** What the release is, for people and for programs. */
const describe = (
  folder: string,
  { version, registry, skipped }: ReleaseOptions,
  { notes, tests }: Source,
  { revision, created }: ReleaseCommit,
  digests: Digests,
): void => {
  const images = Object.entries(digests).map(([name, digest]) => `${registry}/${name}@${digest}`);
  const description = {
    version,
    commit: revision,
    created,
    schema: schemaVersions,
    images,
    tests: tests ?? { skipped: skipped.tests },
    ...(skipped["data-set"] === undefined ? {} : { data_set: { skipped: skipped["data-set"] } }),
    ...(skipped.images === undefined ? {} : { images_skipped: skipped.images }),
  };
  writeFileSync(join(folder, "release.json"), `${JSON.stringify(description, undefined, 2)}\n`);
  writeFileSync(join(folder, "NOTES.md"), `# IKG ${version}\n\n${notes}\n`);
};

/** @throws UserError where the files of the release may not be those of its commit */
const requireUnchanged = ({ revision }: ReleaseCommit): void => {
  if (cleanCommit() !== revision)
    throw new UserError(
      `The working tree or its commit changed while the release of ${revision.slice(0, 12)} was made: make it again (docs/releasing.md).`,
    );
};

/**
 * Makes a release in `dist/X.Y.Z`, with a commit and a tag; nothing leaves this machine.
 *
 * @throws UserError before anything is written, where something is missing; and where the tree changes meanwhile
 */
export const release = async (
  releaseOptions: ReleaseOptions,
  signal: AbortSignal,
  say: Say,
): Promise<void> => {
  const { version, keyFile, dryRun } = releaseOptions;
  const options: RunOptions = { cwd: repository, signal };
  const source = await check(releaseOptions, options, say);
  if (dryRun || keyFile === undefined) {
    for (const file of setVersion(repository, version, false)) say(`${file}: version ${version}`);
    say(`Nothing was written. The release would be of ${source.commit.slice(0, 12)}, in dist/${version}.`);
    return;
  }
  if (releaseOptions.skipped.images === undefined) await prepareImages(signal);
  const folder = inRepository("dist", version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const commit = await commitRelease(releaseOptions, options);
  const digests = await writeParts(folder, releaseOptions, commit, options);
  requireUnchanged(commit);
  describe(folder, releaseOptions, source, commit, digests);
  await step("checksums", () => signFolder(folder, keyFile));
  const tag = ["--annotate", `v${version}`, "--message", `IKG ${version}`, commit.revision];
  await git(options, "tag", ...tag);
  say(`dist/${version} is complete; docs/releasing.md says how it is verified and published.`);
};

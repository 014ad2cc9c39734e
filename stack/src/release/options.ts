/** The options of `npm run release`. */
import { UserError } from "../../launch/user-error.mjs";
import { takeValue } from "../options.ts";

export interface ReleaseOptions {
  /** Semantic version. */
  readonly version: string;
  /** PEM file of the Ed25519 key that signs; undefined in a dry run alone. */
  readonly keyFile: string | undefined;
  /** Where the images will be, as the manifests name them: a host and a path. */
  readonly registry: string;
  /** Why a part is left out, by the part. */
  readonly skipped: Readonly<Record<SkippablePart, string | undefined>>;
  /** Why tests that the long run skipped do not matter. */
  readonly acceptSkipped: string | undefined;
  readonly dryRun: boolean;
}

const skippable = ["tests", "images", "data-set"] as const;
export type SkippablePart = (typeof skippable)[number];

const exampleRegistry = "registry.example.com/ikg";

export const usage = [
  "npm run release -- X.Y.Z --key FILE [--registry HOST/PATH] [--dry-run]",
  "  --key FILE                Ed25519 private key (PEM) that signs the checksums",
  `  --registry HOST/PATH      where the images will be published; default ${exampleRegistry}`,
  '  --skip-tests "REASON"     without a green run of this commit; the release states the reason',
  '  --accept-skipped "REASON" although the green run skipped tests; the release names them and states the reason',
  '  --skip-images "REASON"    without images; the manifests name them by their tags',
  '  --skip-data-set "REASON"  without the data set that the next release upgrades in its tests',
  "  --dry-run                 checks everything, says what would be done, and writes nothing",
].join("\n");

const semantic = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?$/;

/** A host, perhaps with a port, and the path of a repository. */
const registryPattern = /^[A-Za-z0-9.-]+(?::\d+)?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)+$/;

/** @throws UserError for an argument that is not known or malformed, and with the usage where something is missing */
export const parseReleaseOptions = (args: readonly string[]): ReleaseOptions => {
  let { value: keyFile, rest } = takeValue(args, "key");
  const { value: registry = exampleRegistry, rest: withoutRegistry } = takeValue(rest, "registry");
  const acceptSkipped = takeValue(withoutRegistry, "accept-skipped");
  rest = acceptSkipped.rest;
  const skipped: Record<string, string | undefined> = {};
  for (const part of skippable) {
    const reason = takeValue(rest, `skip-${part}`);
    skipped[part] = reason.value;
    rest = reason.rest;
  }
  const dryRun = rest.includes("--dry-run");
  const [version = "", ...others] = rest.filter((each) => each !== "--dry-run");
  if (!semantic.test(version) || others.length > 0) throw new UserError(usage);
  if (!registryPattern.test(registry))
    throw new UserError(`--registry ${registry} is not HOST/PATH, such as ${exampleRegistry}.`);
  if (keyFile === undefined && !dryRun)
    throw new UserError(
      "A release is signed: --key names the private key (openssl genpkey -algorithm ed25519).",
    );
  return {
    version,
    keyFile,
    registry,
    acceptSkipped: acceptSkipped.value,
    skipped: skipped as ReleaseOptions["skipped"], // one for each name of `skippable`
    dryRun,
  };
};

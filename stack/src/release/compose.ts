/** The files that docker compose runs a release by, with images by their digests. */
import { join } from "node:path";
import { parseDocument, type Scalar, type YAMLMap } from "yaml";
import { copyInto, packArchive, rewrite } from "./archive.ts";
import type { Pinning } from "./kubernetes.ts";
import type { RunOptions } from "./run.ts";

const composeFile = "docker-compose.yml";

/** What it mounts, and the scripts that docs/operations.md and docs/upgrading.md run in its folder. */
const others = [
  "deploy/new-secrets.sh",
  "deploy/redis",
  "deploy/replace.sh",
  "deploy/rotate-key.sh",
  "monitoring",
  "stack/backup",
  "stack/src/parts/neo4j.vmoptions",
];

/** Without `build`: images are pulled from the registry of the release, or from IMAGE_REGISTRY. */
export const pinnedCompose = (text: string, { version, registry, digests }: Pinning): string => {
  const document = parseDocument(text);
  const containers = document.get("services") as YAMLMap<Scalar<string>>; // as docker compose has it
  for (const { key } of containers.items) {
    const service = document.getIn(["services", key.value, "build", "target"]);
    if (typeof service !== "string") continue;
    const digest = digests[service];
    const reference = digest === undefined ? `:${version}` : `@${digest}`;
    document.deleteIn(["services", key.value, "build"]);
    document.setIn(
      ["services", key.value, "image"],
      `\${IMAGE_REGISTRY:-${registry}}/${service}${reference}`,
    );
  }
  return document.toString({ lineWidth: 0 });
};

/**
 * Its folder has the same name in each release: the next one is unpacked over it, so that paths of mounted
 * files, and with them the containers of the stores, stay the same.
 *
 * @returns the name of the archive
 */
export const packCompose = (folder: string, pinning: Pinning, options: RunOptions): Promise<string> =>
  packArchive(folder, `ikg-compose-${pinning.version}.tar.gz`, options, (into) => {
    const root = join(into, "ikg-compose");
    copyInto(root, options.cwd, [composeFile, ...others]);
    rewrite(join(root, composeFile), (text) => pinnedCompose(text, pinning));
  });

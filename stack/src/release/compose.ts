/** The files that docker compose runs a release by, with images by their digests. */
import { join } from "node:path";
import { parseDocument, type Scalar, type YAMLMap } from "yaml";
import { copyInto, packArchive, rewrite } from "./archive.ts";
import type { ImagePins } from "./kubernetes.ts";
import type { RunOptions } from "./run.ts";

const composeFile = "docker-compose.yml";

const mountedFiles = ["deploy/redis", "monitoring", "stack/src/stores/neo4j.vmoptions"];

/** What docs/operations.md and docs/upgrading.md run in its folder; `deploy/redis` is among the mounted files. */
const scripts = ["deploy/new-secrets.sh", "deploy/replace.sh", "deploy/rotate-key.sh", "stack/backup"];

/**
 * Without `build`: images are pulled from the registry of the release, or from IMAGE_REGISTRY. Errors name a page of the
 * documentation, since there is no README.
 */
export const pinnedCompose = (text: string, { version, registry, digests }: ImagePins): string => {
  const document = parseDocument(text.replaceAll("see README}", "see docs/operations.md}"));
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
export const packCompose = (folder: string, pins: ImagePins, options: RunOptions): Promise<string> =>
  packArchive(folder, `ikg-compose-${pins.version}.tar.gz`, options, (into) => {
    const root = join(into, "ikg-compose");
    copyInto(root, options.cwd, [composeFile, ...mountedFiles, ...scripts]);
    rewrite(join(root, composeFile), (text) => pinnedCompose(text, pins));
  });

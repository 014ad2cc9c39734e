/** The manifests of Kubernetes and the Helm chart, with images by their digests. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { services } from "../parts/service-names.ts";
import type { Digests } from "./images.ts";
import { run, type RunOptions } from "./run.ts";

/** Folders that a deployment is made from. */
const folders = ["base", "components", "overlays/production", "monitoring", "backup"];

export interface Pinning {
  readonly version: string;
  readonly registry: string;
  /** Images without a digest are named by their tag. */
  readonly digests: Digests;
}

/** The images of a kustomization by registry and digest. */
export const pinnedKustomization = (text: string, { version, registry, digests }: Pinning): string => {
  const document = parseDocument(text);
  const images = services.toSorted().map((name) => {
    const digest = digests[name];
    const image = { name: `ikg/${name}`, newName: `${registry}/${name}` };
    return digest === undefined ? { ...image, newTag: version } : { ...image, digest };
  });
  document.set("images", document.createNode(images));
  return document.toString({ lineWidth: 0 });
};

/** The values of the chart, with a digest for each service. */
export const pinnedValues = (text: string, { registry, digests }: Pinning): string => {
  const document = parseDocument(text);
  const at = registry.lastIndexOf("/");
  document.setIn(["image", "registry"], registry.slice(0, at));
  document.setIn(["image", "repository"], registry.slice(at + 1));
  for (const [name, digest] of Object.entries(digests))
    document.setIn(["services", name, "image", "digest"], digest);
  return document.toString({ lineWidth: 0 });
};

/** Packs one folder; entries begin with its name, since Helm refuses those that begin with `./`. */
const packed = async (
  folder: string,
  archive: string,
  content: string,
  options: RunOptions,
  fill: (into: string) => void,
): Promise<string> => {
  const into = mkdtempSync(join(tmpdir(), "ikg-release-"));
  try {
    fill(into);
    // The same files make the same archive.
    const fixed = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
    await run("tar", [...fixed, "-czf", join(folder, archive), "-C", into, content], options);
    return archive;
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
};

/** @returns the name of the archive */
export const packKubernetes = (folder: string, pinning: Pinning, options: RunOptions): Promise<string> =>
  packed(folder, `ikg-kubernetes-${pinning.version}.tar.gz`, "k8s", options, (into) => {
    for (const each of folders)
      cpSync(join(options.cwd, "k8s", each), join(into, "k8s", each), { recursive: true });
    const file = join(into, "k8s", "overlays", "production", "kustomization.yaml");
    writeFileSync(file, pinnedKustomization(readFileSync(file, "utf8"), pinning));
  });

/** @returns the name of the archive; undefined where there is no chart */
export const packChart = async (
  folder: string,
  pinning: Pinning,
  options: RunOptions,
): Promise<string | undefined> => {
  const chart = join(options.cwd, "deploy", "helm", "ikg");
  if (!existsSync(chart)) return undefined;
  // A chart is such an archive with one folder of its name; `helm package` makes the same.
  return packed(folder, `ikg-${pinning.version}.tgz`, "ikg", options, (into) => {
    cpSync(chart, join(into, "ikg"), { recursive: true });
    const values = join(into, "ikg", "values.yaml");
    writeFileSync(values, pinnedValues(readFileSync(values, "utf8"), pinning));
  });
};

/** The manifests of Kubernetes and the Helm chart, with images by their digests. */
import { join } from "node:path";
import { parseDocument } from "yaml";
import { services } from "../services/service-names.ts";
import { copyInto, packArchive, rewrite } from "./archive.ts";
import type { Digests } from "./images.ts";
import type { RunOptions } from "./run.ts";

/** Overlays of operators; their images are those of the release. */
const overlays = ["k8s/overlays/local", "k8s/overlays/production"];

/** What a deployment is made from, and the scripts that docs/operations.md and docs/upgrading.md run for one. */
const contents = [
  ...["k8s/base", "k8s/components", ...overlays, "k8s/monitoring", "k8s/backup", "k8s/rotate-key.sh"],
  // The dashboards of k8s/monitoring.
  "monitoring/grafana",
  ...["deploy/new-secrets.sh", "deploy/redis", "deploy/rotate-key.sh"],
];

/** The images of a release: their registry, version and digests. */
export interface ImagePins {
  readonly version: string;
  readonly registry: string;
  /** Images without a digest are named by their tag. */
  readonly digests: Digests;
}

/** The images of a kustomization by registry and digest. */
export const pinnedKustomization = (text: string, { version, registry, digests }: ImagePins): string => {
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
export const pinnedValues = (text: string, { registry, digests }: ImagePins): string => {
  const document = parseDocument(text);
  const at = registry.lastIndexOf("/");
  document.setIn(["image", "registry"], registry.slice(0, at));
  document.setIn(["image", "repository"], registry.slice(at + 1));
  for (const [name, digest] of Object.entries(digests))
    document.setIn(["services", name, "image", "digest"], digest);
  return document.toString({ lineWidth: 0 });
};

/** An example of values without the tag of local images, in a chart that names those of the release. */
const withoutLocalImages = (text: string): string => {
  const document = parseDocument(text);
  document.delete("image");
  return document.toString({ lineWidth: 0 });
};

/** @returns the name of the archive */
export const packKubernetes = (folder: string, pins: ImagePins, options: RunOptions): Promise<string> =>
  packArchive(folder, `ikg-kubernetes-${pins.version}.tar.gz`, options, (into) => {
    copyInto(into, options.cwd, contents);
    for (const overlay of overlays)
      rewrite(join(into, overlay, "kustomization.yaml"), (text) => pinnedKustomization(text, pins));
  });

/**
 * A chart is such an archive with one folder of its name; `helm package` makes the same.
 *
 * @returns the name of the archive
 */
export const packChart = (folder: string, pins: ImagePins, options: RunOptions): Promise<string> =>
  packArchive(folder, `ikg-${pins.version}.tgz`, options, (into) => {
    copyInto(into, join(options.cwd, "deploy", "helm"), ["ikg"]);
    rewrite(join(into, "ikg", "values.yaml"), (text) => pinnedValues(text, pins));
    rewrite(join(into, "ikg", "examples", "local.yaml"), withoutLocalImages);
  });

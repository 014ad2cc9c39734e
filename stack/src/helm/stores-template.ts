/** The template of the stores inside: those of the overlay for a machine of one's own, each with a volume. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { inRepository } from "../repository.ts";
import { header, optional, printDocument } from "./document.ts";
import {
  containerIn,
  type Manifest,
  readKustomization,
  readManifests,
  replaceAt,
  treeAt,
} from "./manifests.ts";
import { Block, Expression, isTree, itemsOf, type Node, textOf, type Tree, within } from "./template.ts";

const source = "overlays/local";

export const storeNames = ["neo4j", "redis"] as const;
export type StoreName = (typeof storeNames)[number];

export const storeManifests = (): readonly Manifest[] => readManifests(`${source}/stores.yaml`);

export const statefulSetOf = (name: StoreName): Manifest => {
  const found = storeManifests().find(
    ({ kind, metadata }) => kind === "StatefulSet" && metadata.name === name,
  );
  if (found === undefined) throw new Error(`no StatefulSet ${name}`);
  return found;
};

/** What a variable of a store says by itself; those that refer to others belong to the template. */
export const plainValue = (entry: Node): readonly [string, string] | undefined => {
  if (!isTree(entry) || typeof entry["value"] !== "string" || entry["value"].includes("$(")) return undefined;
  return [textOf(entry["name"]), entry["value"]];
};

/** What the overlay gives to everything. */
const partOf = { "app.kubernetes.io/part-of": "ikg" };

/** The claim of a volume: how large it is, and of which class, are values. */
const claims = (name: StoreName, { spec = {} }: Manifest): Node => {
  const [claim] = itemsOf((spec as Tree)["volumeClaimTemplates"]);
  if (claim === undefined || !isTree(claim)) throw new Error(`${name} has no volume`);
  const storage = new Expression(`.Values.stores.${name}.storage`);
  const sized = replaceAt(claim, ["spec", "resources", "requests", "storage"], storage);
  const storageClass = within(`with .Values.stores.${name}.storageClassName`, {
    storageClassName: new Expression(". | quote"),
  });
  const metadata = { ...treeAt(claim, "metadata"), labels: partOf };
  return [{ ...sized, metadata, spec: { ...treeAt(sized, "spec"), ...storageClass } }];
};

interface ConfigMap extends Tree {
  readonly metadata: { readonly name: string };
  readonly data: Readonly<Record<string, string>>;
}

/** The ConfigMaps of files that kustomize makes in the overlay. */
const configMaps = (): readonly ConfigMap[] =>
  (readKustomization(source).configMapGenerator ?? []).flatMap(({ name, files = [] }) =>
    files.length === 0
      ? []
      : [
          {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name },
            data: Object.fromEntries(
              files.map((file) => [file, readFileSync(inRepository("k8s", source, file), "utf8")]),
            ),
          },
        ],
  );

/** Changes with the files that a pod mounts, so that an upgrade that changes them restarts the store, as kustomize's names do. */
const filesChecksum = (pod: Tree): string => {
  const mounted = new Set(
    itemsOf(pod["volumes"]).flatMap((volume) => {
      const configMap = isTree(volume) ? volume["configMap"] : undefined;
      return configMap !== undefined && isTree(configMap) ? [textOf(configMap["name"])] : [];
    }),
  );
  const files = configMaps().filter(({ metadata }) => mounted.has(metadata.name));
  return createHash("sha256")
    .update(JSON.stringify(files.map(({ data }) => data)))
    .digest("hex");
};

const statefulSet = (name: StoreName, manifest: Manifest): Tree => {
  const pod = treeAt(manifest, "spec", "template", "spec");
  const { env, resources: _resources, ...container } = containerIn(pod);
  const values = `.Values.stores.${name}`;
  const variables = [
    ...itemsOf(env).filter((entry) => plainValue(entry) === undefined),
    within(`range $name, $value := ${values}.env`, [
      { name: new Expression("$name"), value: new Expression('include "ikg.text" $value | quote') },
    ]),
  ];
  const changed: Tree = {
    ...pod,
    ...optional("imagePullSecrets", ".Values.image.pullSecrets"),
    containers: [
      {
        ...container,
        image: new Expression(`${values}.image | quote`),
        imagePullPolicy: new Expression(".Values.image.pullPolicy"),
        env: variables,
        ...within(`with ${values}.resources`, { resources: new Block("toYaml .") }),
      },
    ],
  };
  const labels = { ...treeAt(manifest, "spec", "template", "metadata", "labels"), ...partOf };
  const annotations = { "checksum/files": filesChecksum(pod) };
  const ofPod = replaceAt(manifest, ["spec", "template"], {
    metadata: { labels, annotations },
    spec: changed,
  });
  return replaceAt(ofPod, ["spec", "volumeClaimTemplates"], claims(name, manifest));
};

const embedded = ".Values.stores.embedded";

export const storesTemplate = (): string => {
  const documents = storeManifests().map((manifest) => {
    const name = storeNames.find((each) => each === manifest.metadata.name);
    if (manifest.kind === "StatefulSet" && name !== undefined)
      return printDocument(statefulSet(name, manifest), embedded);
    const isPolicy = manifest.kind === "NetworkPolicy";
    return printDocument(manifest, isPolicy ? `and ${embedded} .Values.networkPolicies.enabled` : embedded);
  });
  return [
    header(`k8s/${source}/stores.yaml`),
    ...configMaps().map((each) => printDocument(each, embedded)),
    ...documents,
  ].join("");
};

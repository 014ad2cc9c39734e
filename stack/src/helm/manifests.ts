/** What the chart is made of: the objects of `k8s/`, with the patch that all services have in common. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { inRepository } from "../repository.ts";
import { strategicMerge } from "./strategic-merge.ts";
import { isTree, itemsOf, type Node, type Tree } from "./template.ts";

export interface Manifest extends Tree {
  readonly kind: string;
  readonly metadata: Tree & { readonly name: string };
}

interface Kustomization {
  readonly resources?: readonly string[];
  readonly configMapGenerator?: readonly {
    readonly name: string;
    readonly literals?: readonly string[];
    readonly files?: readonly string[];
  }[];
  readonly patches?: readonly {
    readonly path?: string;
    readonly patch?: string;
    readonly target?: { readonly kind?: string; readonly name?: string };
  }[];
}

const text = (file: string): string => readFileSync(inRepository("k8s", file), "utf8");

/** All objects of a file below `k8s/`. */
export const readManifests = (file: string): readonly Manifest[] =>
  parseAllDocuments(text(file), { merge: true }).map((document) => document.toJS() as Manifest); // ours

export const readKustomization = (folder: string): Kustomization =>
  parse(text(join(folder, "kustomization.yaml"))) as Kustomization; // ours

/** The literals of a ConfigMap that kustomize makes in a folder. */
export const literalsOf = (folder: string, name: string): Readonly<Record<string, string>> => {
  const { configMapGenerator = [] } = readKustomization(folder);
  const { literals = [] } = configMapGenerator.find((each) => each.name === name) ?? {};
  return Object.fromEntries(literals.map((each) => each.split(/=(.*)/s) as [string, string]));
};

/** The files of a ConfigMap that kustomize makes in a folder. */
export const filesOf = (folder: string, name: string): readonly string[] =>
  (readKustomization(folder).configMapGenerator ?? []).find((each) => each.name === name)?.files ?? [];

/**
 * The strategic merge patch that a kustomization has in itself, or names.
 *
 * @throws Error where there are several: the chart would have none of the others
 */
export const patchOf = (folder: string): Tree => {
  const [first, ...more] = readKustomization(folder).patches ?? [];
  if (more.length > 0)
    throw new Error(`k8s/${folder} has ${more.length + 1} patches, and the chart takes one`);
  return parse(first?.patch ?? text(join(folder, first?.path ?? ""))) as Tree; // ours
};

const ofService = /^services\/(.+)\.yaml$/;

let known: ReadonlyMap<string, readonly Manifest[]> | undefined;

/** The objects of each service, by its name. */
export const serviceManifests = (): ReadonlyMap<string, readonly Manifest[]> => (known ??= readServices());

const readServices = (): ReadonlyMap<string, readonly Manifest[]> => {
  const { spec: common = {} } = patchOf("base");
  const complete = (manifest: Manifest): Manifest =>
    manifest.kind === "Deployment" ? (strategicMerge(manifest, { spec: common }) as Manifest) : manifest;
  return new Map(
    (readKustomization("base").resources ?? []).flatMap((file) => {
      const [, name] = ofService.exec(file) ?? [];
      return name === undefined ? [] : [[name, readManifests(`base/${file}`).map(complete)] as const];
    }),
  );
};

/** The files of `k8s/base` that are of no service. The namespace is made by the operator who installs a chart. */
export const sharedFiles = (): readonly string[] =>
  (readKustomization("base").resources ?? []).filter(
    (file) => !ofService.test(file) && file !== "namespace.yaml",
  );

/** A subtree. @throws Error where it is missing: a manifest is not as the chart expects it */
export const treeAt = (tree: Tree, ...path: readonly string[]): Tree =>
  path.reduce<Tree>((node, key) => {
    const next = node[key];
    if (next === undefined || !isTree(next))
      throw new Error(`no ${path.join(".")} in ${JSON.stringify(tree)}`);
    return next;
  }, tree);

/** The object with another value at a path. */
export const replaceAt = (tree: Tree, [key = "", ...rest]: readonly string[], value: Node): Tree => ({
  ...tree,
  [key]: rest.length === 0 ? value : replaceAt(treeAt(tree, key), rest, value),
});

/** The first item of a list of objects. */
export const firstOf = (node: Node | undefined): Tree => {
  const [first] = itemsOf(node);
  if (first === undefined || !isTree(first)) throw new Error("a list of objects expected");
  return first;
};

/** The one container of a pod. */
export const containerIn = (pod: Tree): Tree => {
  const { containers } = pod;
  const [container, ...more] = itemsOf(containers);
  if (container === undefined || !isTree(container) || more.length > 0)
    throw new Error("the chart knows pods of one container");
  return container;
};

/** The Deployment of a service. */
export const deploymentOf = (manifests: readonly Manifest[]): Manifest => {
  const found = manifests.find(({ kind }) => kind === "Deployment");
  if (found === undefined) throw new Error("a service without a Deployment");
  return found;
};

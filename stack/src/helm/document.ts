/** Documents of template files: what every object of the chart has, wherever it comes from. */
import { treeAt } from "./manifests.ts";
import {
  Block,
  Expression,
  included,
  isTree,
  type Node,
  printTemplate,
  textOf,
  type Tree,
  within,
} from "./template.ts";

/** The same object with the labels of the release. */
const labelled = (manifest: Tree): Tree => {
  const { labels = {}, ...metadata } = treeAt(manifest, "metadata");
  const own = isTree(labels) ? labels : {};
  const all = { ...included('include "ikg.labels" .'), ...own };
  const { apiVersion = "", kind = "", ...rest } = manifest;
  return { apiVersion, kind, ...rest, metadata: { ...metadata, labels: all } };
};

/** Names of Secrets are values. */
const secretNames: Readonly<Record<string, string>> = {
  "ikg-keys": ".Values.secrets.keys",
  "ikg-stores": ".Values.secrets.stores",
};

const withSecretNames = (node: Node): Node => {
  if (Array.isArray(node)) return node.map(withSecretNames);
  if (!isTree(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key !== "secretKeyRef" || !isTree(value)) return [key, withSecretNames(value)];
      const name = secretNames[textOf(value["name"])];
      if (name === undefined)
        throw new Error(`the chart has no value for the Secret ${textOf(value["name"])}`);
      return [key, { ...value, name: new Expression(name) }];
    }),
  );
};

/** One document of a template file. */
export const printDocument = (tree: Tree, condition?: string): string => {
  const text = printTemplate(withSecretNames(labelled(tree)) as Tree);
  return condition === undefined ? `---\n${text}` : `{{- if ${condition} }}\n---\n${text}{{- end }}\n`;
};

export const header = (source: string): string =>
  `{{- /* Written from ${source} by npm run generate; its comments say why. */ -}}\n`;

/** An entry or a list that is there where a value is given. */
export const optional = (key: string, value: string): Tree =>
  within(`with ${value}`, { [key]: new Block("toYaml .") });

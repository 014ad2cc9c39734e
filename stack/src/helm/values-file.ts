/** `values.yaml`: every value with its default, and what it is. */
import { Document, isMap, isPair, isScalar } from "yaml";
import type { ChartValue } from "./chart-value.ts";
import { valuesOfServices } from "./service-values.ts";
import { type Node, yamlOptions } from "./template.ts";
import { chartValues } from "./values.ts";

type Nested = { [key: string]: Nested | Node };

const head = ` Written by npm run generate from k8s/ and the schemas of the settings: docs/decisions/0029-helm.md.
 What may stand here besides, README.md says.`;

const nested = (values: readonly ChartValue[]): Nested => {
  const root: Nested = {};
  for (const { path, default: byDefault } of values) {
    const [last = "", ...above] = path.toReversed();
    let node = root;
    for (const key of above.toReversed()) node = (node[key] ??= {}) as Nested; // no value lies within another
    node[last] = byDefault;
  }
  return root;
};

/** Puts a comment before a key. */
const comment = (document: Document, path: readonly string[], text: string): void => {
  const above = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(above)) throw new Error(`no ${path.join(".")}`);
  const pair = above.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
  if (isPair(pair) && isScalar(pair.key)) pair.key.commentBefore = ` ${text}`;
};

/** Values that services have under their names. */
const differing = (values: readonly ChartValue[]): readonly ChartValue[] =>
  values.filter((each) => each.default !== null);

export const valuesFile = (): string => {
  const values = differing(chartValues());
  const document = new Document({ ...nested(values), services: valuesOfServices() }, yamlOptions);
  for (const { path, description } of values) comment(document, path, description);
  comment(document, ["serviceDefaults"], "Of every service; what stands below its name in `services` wins.");
  comment(document, ["services"], "Of one service: the same as above, and `settings` of its own.");
  document.commentBefore = head;
  return document.toString(yamlOptions);
};

/** Objects of the chart and of an overlay in one form: without what the two tools name or write in ways of their own. */
import type { Rendered } from "./render.ts";
import { isTree, type Node, textOf, type Tree } from "./template.ts";

/** Of the release, which an overlay does not know. */
const ofHelm = /^(helm\.sh\/chart|app\.kubernetes\.io\/(instance|version|managed-by)|checksum\/.*)$/;

/** What kustomize appends to the name of a ConfigMap that it makes. */
const hash = /-[a-z0-9]{10}$/;

/** Of these, the variables are compared that pods get from them. */
const settings = new Set(["settings", "upstreams"]);

const isHook = ({ metadata }: Rendered): boolean => "helm.sh/hook" in (metadata.annotations ?? {});

const configMaps = (objects: readonly Rendered[]): ReadonlyMap<string, Readonly<Record<string, string>>> =>
  new Map(
    objects
      .filter(({ kind }) => kind === "ConfigMap")
      .map(({ metadata, data = {} }) => [metadata.name.replace(hash, ""), data]),
  );

const list = (node: Node | undefined): readonly Tree[] =>
  Array.isArray(node) ? (node as readonly Tree[]) : [];

/** The variables of a container as its process sees them. */
const environment = (container: Tree, maps: ReadonlyMap<string, Readonly<Record<string, string>>>): Tree => {
  const fromMaps = list(container["envFrom"]).map((source) => {
    const { name } = source["configMapRef"] as { readonly name: string }; // no manifest reads a whole Secret
    return maps.get(name.replace(hash, "")) ?? {};
  });
  const own = list(container["env"]).map(({ name, ...rest }) => [
    name,
    "value" in rest ? rest["value"] : rest,
  ]);
  return Object.assign({}, ...fromMaps, Object.fromEntries(own)) as Tree;
};

/** Lists whose order says nothing. */
const unordered = new Set(["volumes", "volumeMounts"]);

const inOrder = (items: readonly Tree[]): readonly Tree[] =>
  items.toSorted((a, b) => (textOf(a["name"]) < textOf(b["name"]) ? -1 : 1));

/** An image without a tag is the latest one. */
const withTag = (image: Node | undefined): Node =>
  typeof image === "string" && !/:[^/]+$/.test(image) ? `${image}:latest` : (image ?? null);

/** Everywhere in an object. */
const cleaned = (node: Node, maps: ReadonlyMap<string, Readonly<Record<string, string>>>): Node => {
  if (Array.isArray(node)) return node.map((each: Node) => cleaned(each, maps));
  if (!isTree(node)) return node;
  const entries = Object.entries(node).filter(([key]) => !ofHelm.test(key) && key !== "namespace");
  const inside = entries.map(([key, value]) => {
    if (key.endsWith(".json") && typeof value === "string") return [key, JSON.parse(value) as Node] as const;
    if (key === "configMap" && isTree(value))
      return [key, { ...value, name: textOf(value["name"]).replace(hash, "") }] as const;
    if (key === "containers")
      return [
        key,
        list(value).map(({ envFrom, env, image, ...rest }) => ({
          ...(cleaned(rest, maps) as Tree),
          image: withTag(image),
          environment: environment({ envFrom: envFrom ?? [], env: env ?? [] }, maps),
        })),
      ] as const;
    const other = cleaned(value, maps);
    return [key, unordered.has(key) ? inOrder(list(other)) : other] as const;
  });
  return Object.fromEntries(
    inside.filter(
      ([key, value]) => !(key === "annotations" && isTree(value) && Object.keys(value).length === 0),
    ),
  );
};

/** Objects by kind and name. Namespaces, hooks and settings by themselves are left out. */
export const comparable = (objects: readonly Rendered[]): Readonly<Record<string, Node>> => {
  const maps = configMaps(objects);
  return Object.fromEntries(
    objects
      .filter((object) => object.kind !== "Namespace" && !isHook(object))
      .map((object) => [`${object.kind} ${object.metadata.name.replace(hash, "")}`, object] as const)
      .filter(([key]) => !settings.has(key.replace("ConfigMap ", "")))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, object]) => {
        const { metadata, ...rest } = cleaned(object as unknown as Tree, maps) as Tree; // JSON
        return [
          key,
          { ...rest, metadata: { ...(metadata as Tree), name: key.split(" ")[1] ?? "" } },
        ] as const;
      }),
  );
};

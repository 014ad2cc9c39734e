/** The services taken apart: what their manifests have in common, and what one of them has of its own. */
import { Document, isSeq } from "yaml";
import { internalTlsRole } from "./internal-tls.ts";
import { containerIn, type Manifest, replaceAt, serviceManifests, treeAt } from "./manifests.ts";
import { isSetting } from "./settings.ts";
import { Expression, isTree, itemsOf, type Node, textOf, type Tree, yamlOptions } from "./template.ts";

/** A variable from a Secret: one of the names in `secrets` of the values, and the entry. */
interface SecretVariable extends Tree {
  readonly name: string;
  readonly secret: string;
  readonly key: string;
}

/** What differs from service to service and is no value. */
export interface OwnParts extends Tree {
  readonly envFrom: Node;
  readonly env: readonly SecretVariable[];
}

const podOf = ["spec", "template", "spec"] as const;

const secretVariable = (entry: Node): readonly SecretVariable[] => {
  if (!isTree(entry)) throw new Error("a variable expected");
  const name = textOf(entry["name"]);
  // Variables with a text are settings, which are values of the chart.
  if ("value" in entry && isSetting(name)) return [];
  const reference = treeAt(entry, "valueFrom", "secretKeyRef");
  const optional = reference["optional"] === true && { optional: true };
  const secret = textOf(reference["name"]).replace(/^ikg-/, "");
  return [{ name, secret, key: textOf(reference["key"]), ...optional }];
};

const isKind =
  (wanted: string) =>
  ({ kind }: Manifest): boolean =>
    kind === wanted;

const ownParts = (name: string, manifests: readonly Manifest[]): OwnParts => {
  const { env, envFrom = [] } = containerIn(treeAt(manifests.find(isKind("Deployment")) ?? {}, ...podOf));
  const policy = manifests.find(isKind("NetworkPolicy"));
  const internalTls = internalTlsRole(name);
  const ingress = policy && treeAt(policy, "spec")["ingress"];
  return {
    envFrom,
    env: itemsOf(env).flatMap(secretVariable),
    // A service without one takes no connections.
    ...(ingress !== undefined && { ingress }),
    ...(internalTls !== undefined && { internalTls }),
  };
};

/** The manifest without own parts and without values of `services`. */
const stripped = (manifest: Manifest): Manifest => {
  if (manifest.kind === "NetworkPolicy") return replaceAt(manifest, ["spec", "ingress"], []) as Manifest;
  if (manifest.kind === "HorizontalPodAutoscaler")
    return replaceAt(manifest, ["spec", "maxReplicas"], 0) as Manifest;
  if (manifest.kind !== "Deployment") return manifest;
  const {
    env: _env,
    envFrom: _from,
    image: _image,
    resources: _resources,
    ...container
  } = containerIn(treeAt(manifest, ...podOf));
  return replaceAt(manifest, [...podOf, "containers"], [container]) as Manifest;
};

/** With `$name` wherever the name of the service stands. */
const nameless = (node: Node, name: string): Node => {
  if (node === name) return new Expression("$name");
  if (Array.isArray(node)) return node.map((each: Node) => nameless(each, name));
  if (!isTree(node)) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, nameless(value, name)]));
};

/**
 * The objects that services have, each once.
 *
 * @throws Error where those of two services differ in what no value and no own part says
 */
export const commonManifests = (): readonly Manifest[] => {
  const found = new Map<string, Manifest>();
  for (const [name, manifests] of serviceManifests())
    for (const manifest of manifests) {
      const common = nameless(stripped(manifest), name) as Manifest;
      const first = found.get(manifest.kind) ?? common;
      if (JSON.stringify(first) !== JSON.stringify(common))
        throw new Error(`the ${manifest.kind} of ${name} is not like that of the services before it`);
      found.set(manifest.kind, first);
    }
  return [...found.values()];
};

/** `files/services.yaml`, which the template of services reads. */
export const ownPartsFile = (): string => {
  const parts = [...serviceManifests()].map(
    ([name, manifests]) => [name, ownParts(name, manifests)] as const,
  );
  const document = new Document(Object.fromEntries(parts), { aliasDuplicateObjects: false, ...yamlOptions });
  for (const [name] of parts)
    for (const key of ["envFrom", "env", "ingress"]) {
      const node = document.getIn([name, key]);
      for (const item of isSeq(node) ? node.items : []) Object.assign(item as object, { flow: true }); // a map
    }
  document.commentBefore = " Written from k8s/base/services by npm run generate; its comments say why.";
  return document.toString(yamlOptions);
};

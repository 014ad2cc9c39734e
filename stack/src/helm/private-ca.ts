/** What the component for certificate authorities of one's own adds to every service. */
import { containerIn, patchOf, treeAt } from "./manifests.ts";
import { Expression, isTree, type Node, within } from "./template.ts";

export interface PrivateCa {
  readonly env: Node;
  readonly volumeMounts: Node;
  readonly volumes: Node;
}

const whenEnabled = (items: Node): Node => within("if .Values.privateCa.enabled", items);

export const readPrivateCa = (): PrivateCa => {
  const pod = treeAt(patchOf("components/private-ca"), "spec", "template", "spec");
  const { env = [], volumeMounts = [] } = containerIn(pod);
  const { volumes = [] } = pod;
  const ofValues = (volume: Node): Node =>
    isTree(volume)
      ? { ...volume, configMap: { name: new Expression(".Values.privateCa.configMap") } }
      : volume;
  return {
    env: whenEnabled(env),
    volumeMounts: whenEnabled(volumeMounts),
    volumes: whenEnabled(Array.isArray(volumes) ? volumes.map(ofValues) : []),
  };
};

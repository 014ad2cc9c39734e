/** The templates of what stands before the gateway: an Ingress, or a port of every node. */
import { header, printDocument } from "./document.ts";
import { firstOf, type Manifest, readManifests, replaceAt, treeAt } from "./manifests.ts";
import { Block, Expression, type Tree, within } from "./template.ts";

const only = (file: string): Manifest => {
  const [manifest, ...more] = readManifests(file);
  if (manifest === undefined || more.length > 0) throw new Error(`one object expected in k8s/${file}`);
  return manifest;
};

export const ingressManifest = (): Manifest => only("overlays/production/ingress.yaml");
export const portManifest = (): Manifest => only("overlays/local/port.yaml");

export const ingressTemplate = (): string => {
  const manifest = ingressManifest();
  const { tls: _tls, rules, ...spec } = treeAt(manifest, "spec");
  const { annotations: _annotations, ...metadata } = manifest.metadata;
  const tree: Tree = {
    ...manifest,
    metadata: {
      ...metadata,
      ...within("with .Values.ingress.annotations", { annotations: new Block("toYaml .") }),
    },
    spec: {
      ...spec,
      ingressClassName: new Expression(".Values.ingress.className | quote"),
      ...within("with .Values.ingress.tlsSecret", {
        tls: [
          {
            hosts: [new Expression("$.Values.ingress.host | quote")],
            secretName: new Expression(". | quote"),
          },
        ],
      }),
      rules: [{ ...firstOf(rules), host: new Expression(".Values.ingress.host | quote") }],
    },
  };
  return header("k8s/overlays/production/ingress.yaml") + printDocument(tree, ".Values.ingress.enabled");
};

export const portTemplate = (): string => {
  const manifest = portManifest();
  const port = firstOf(treeAt(manifest, "spec")["ports"]);
  const tree = replaceAt(
    manifest,
    ["spec", "ports"],
    [{ ...port, nodePort: new Expression(".Values.nodePort.port") }],
  );
  return header("k8s/overlays/local/port.yaml") + printDocument(tree, ".Values.nodePort.enabled");
};

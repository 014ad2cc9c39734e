/** The template of what a cluster with the Prometheus operator and Grafana has besides: metrics, alerts and dashboards. */
import { header, printDocument } from "./document.ts";
import { type Manifest, readManifests } from "./manifests.ts";
import { Block, included, type Tree, within } from "./template.ts";

const enabled = ".Values.monitoring.enabled";

const only = (file: string): Manifest => {
  const [manifest] = readManifests(`monitoring/${file}`);
  if (manifest === undefined) throw new Error(`nothing in k8s/monitoring/${file}`);
  return manifest;
};

/** Labels by which an operator, or a sidecar, finds an object. */
const found = (tree: Tree, labels: Tree): Tree => {
  const metadata = tree["metadata"] as Tree; // of a manifest
  return { ...tree, metadata: { ...metadata, labels } };
};

const released = within("with .Values.monitoring.labels", included("toYaml ."));

export const monitoringTemplate = (): string => {
  const dashboards: Tree = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "grafana-dashboards", labels: { grafana_dashboard: "1" } },
    data: new Block('(.Files.Glob "files/dashboards/*.json").AsConfig'),
  };
  // Rules and dashboards have braces of their own: they are files, which Helm does not evaluate, linked to those of `k8s`.
  const rules = {
    ...only("alerts.yaml"),
    spec: new Block('toYaml (.Files.Get "files/alerts.yaml" | fromYaml).spec'),
  };
  return [
    header("k8s/monitoring"),
    printDocument(found(only("service-monitor.yaml"), released), enabled),
    printDocument(found(rules, released), enabled),
    printDocument(dashboards, enabled),
  ].join("");
};

/** The template of what a cluster with the Prometheus operator and Grafana has besides: metrics, alerts and dashboards. */
import { readFileSync } from "node:fs";
import { inRepository } from "../repository.ts";
import { header, printDocument } from "./document.ts";
import { filesOf, type Manifest, readManifests } from "./manifests.ts";
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

const dashboards = "../monitoring/grafana";

const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Rules and dashboards have braces of their own: they are files, which Helm does not evaluate. On one line, as copies are not read. */
export const monitoringFiles = (): Readonly<Record<string, string>> => ({
  "files/monitoring/alerts.json": json(only("alerts.yaml")["spec"]),
  ...Object.fromEntries(
    filesOf(dashboards, "grafana-dashboards").map((name) => [
      `files/monitoring/dashboards/${name}`,
      json(JSON.parse(readFileSync(inRepository("k8s", dashboards, name), "utf8"))),
    ]),
  ),
});

export const monitoringTemplate = (): string => {
  const boards: Tree = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "grafana-dashboards", labels: { grafana_dashboard: "1" } },
    data: new Block('(.Files.Glob "files/monitoring/dashboards/*.json").AsConfig'),
  };
  const rules = {
    ...only("alerts.yaml"),
    spec: new Block('toYaml (.Files.Get "files/monitoring/alerts.json" | fromJson)'),
  };
  return [
    header("k8s/monitoring"),
    printDocument(found(only("service-monitor.yaml"), released), enabled),
    printDocument(found(rules, released), enabled),
    printDocument(boards, enabled),
  ].join("");
};

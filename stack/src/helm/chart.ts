/** The Helm chart, made from `k8s/` and the schemas of the settings: docs/decisions/0029-helm.md. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { stringify } from "yaml";
import { formatText } from "../format-text.ts";
import { inRepository } from "../repository.ts";
import { ingressTemplate, portTemplate } from "./entry-template.ts";
import { sharedFiles } from "./manifests.ts";
import { monitoringFiles, monitoringTemplate } from "./monitoring-template.ts";
import { sharedTemplate } from "./network-template.ts";
import { wantedSecrets } from "./secrets.ts";
import { ownPartsFile } from "./service-parts.ts";
import { servicesTemplate } from "./service-template.ts";
import { settingsTemplate } from "./settings-template.ts";
import { storesTemplate } from "./stores-template.ts";
import { valuesFile } from "./values-file.ts";
import { valuesSchema } from "./values-schema.ts";
import { withValuesTable } from "./values-table.ts";

export const chartFolder = "deploy/helm/ikg";

/** What is written by hand. */
export const handWritten = [
  ".helmignore",
  "examples/local.yaml",
  "examples/production.yaml",
  "files/make-secrets.mjs",
  "templates/NOTES.txt",
  "templates/_definitions.tpl",
  "templates/secrets.yaml",
];

const ofRepository = (...path: readonly string[]): string => readFileSync(inRepository(...path), "utf8");

const chart = (): string => {
  const { version } = JSON.parse(ofRepository("package.json")) as { readonly version: string };
  return stringify({
    apiVersion: "v2",
    name: "ikg",
    description:
      "Who may do what with which data, and why: authorization decisions and policy-bound queries over an identity knowledge graph on Neo4j.",
    type: "application",
    version,
    appVersion: version,
    // Pods end after a preStop that sleeps, which clusters have from this version on.
    kubeVersion: ">=1.30.0-0",
    annotations: { licenses: "Apache-2.0" },
  });
};

const json = (value: unknown): Promise<string> => formatText("file.json", JSON.stringify(value));

const yaml = (text: string): Promise<string> => formatText("file.yaml", text);

const templates = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(sharedFiles().map((file) => [basename(file), sharedTemplate(file)])),
  "ingress.yaml": ingressTemplate(),
  "node-port.yaml": portTemplate(),
  "monitoring.yaml": monitoringTemplate(),
  "services.yaml": servicesTemplate(),
  "settings.yaml": settingsTemplate(),
  "stores.yaml": storesTemplate(),
});

/** Every file of the chart that is not written by hand, by its path. */
export const chartFiles = async (): Promise<Readonly<Record<string, string>>> => ({
  "Chart.yaml": await yaml(chart()),
  "README.md": await formatText("README.md", withValuesTable(ofRepository(chartFolder, "README.md"))),
  "values.yaml": await yaml(valuesFile()),
  "values.schema.json": await json(valuesSchema()),
  "files/secrets.json": await json(wantedSecrets()),
  "files/services.yaml": await yaml(ownPartsFile()),
  ...monitoringFiles(),
  ...Object.fromEntries(Object.entries(templates()).map(([name, text]) => [join("templates", name), text])),
});

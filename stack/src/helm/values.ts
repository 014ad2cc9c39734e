/** All values of the chart but those under the names of services, in the order of `values.yaml`. */
import { anyMap, type ChartValue, flag, list, name, text, texts, value } from "./chart-value.ts";
import { ingressManifest, portManifest } from "./entry-template.ts";
import { containerIn, firstOf, treeAt } from "./manifests.ts";
import { serviceShape } from "./service-values.ts";
import { settingDefaults } from "./settings.ts";
import { plainValue, statefulSetOf, storeNames, type StoreName } from "./stores-template.ts";
import type { Node } from "./template.ts";

const images: readonly ChartValue[] = [
  value("image.registry", "", text, "Registry of the images; empty: none."),
  value("image.repository", "ikg", name, "Repository prefix; the service name follows it."),
  value("image.tag", "", text, "Tag of the images; empty: the chart's version."),
  value(
    "image.pullPolicy",
    "IfNotPresent",
    { enum: ["Always", "IfNotPresent", "Never"] },
    "Image pull policy.",
  ),
  value("image.pullSecrets", [], list, "Secrets of the registry: `[{name: …}]`."),
];

const settings = (): ChartValue =>
  value(
    "settings",
    settingDefaults(),
    { $ref: "#/definitions/settings" },
    "Settings of every service that has them, by the names of their environment variables.",
  );

const secrets: readonly ChartValue[] = [
  value(
    "secrets.create",
    true,
    flag,
    "Creates missing Secret entries before every installation and upgrade; with `stores.embedded: false` you create `secrets.stores`.",
  ),
  value("secrets.keys", "ikg-keys", name, "Secret with the keys of the suite."),
  value("secrets.stores", "ikg-stores", name, "Secret with the credentials of Neo4j and Redis."),
];

const storeValues = (store: StoreName, title: string): readonly ChartValue[] => {
  const spec = treeAt(statefulSetOf(store), "spec");
  const { env, image = "", resources = {} } = containerIn(treeAt(spec, "template", "spec"));
  const variables = (Array.isArray(env) ? (env as readonly Node[]) : []).flatMap((entry) =>
    plainValue(entry) === undefined ? [] : [plainValue(entry) ?? ["", ""]],
  );
  const claim = treeAt(firstOf(spec["volumeClaimTemplates"]), "spec", "resources", "requests");
  return [
    value(`stores.${store}.image`, image, name, `Image of ${title}.`),
    value(`stores.${store}.storage`, claim["storage"] ?? "", name, "Size of the volume."),
    value(
      `stores.${store}.storageClassName`,
      "",
      text,
      "StorageClass of the volume; empty: the cluster's default.",
    ),
    value(`stores.${store}.resources`, resources, anyMap, "Requests and limits."),
    value(
      `stores.${store}.env`,
      Object.fromEntries(variables),
      anyMap,
      "Environment variables of the image, such as its settings.",
    ),
  ];
};

const stores = (): readonly ChartValue[] => [
  value(
    "stores.embedded",
    true,
    flag,
    "Runs Neo4j Community and Redis in the cluster, one of each, for trials. Otherwise set `settings.NEO4J_URI` and create the Secret `secrets.stores`.",
  ),
  ...storeNames.flatMap((store) => storeValues(store, { neo4j: "Neo4j", redis: "Redis" }[store])),
  value(
    "neo4jUsers.enabled",
    false,
    flag,
    "A user of Neo4j for each service: `secrets.stores` has `ACCESS_NEO4J_USERNAME`, `ACCESS_NEO4J_PASSWORD` and so on.",
  ),
];

const entry = (): readonly ChartValue[] => {
  const ingress = ingressManifest();
  const spec = treeAt(ingress, "spec");
  const { annotations = {} } = ingress.metadata;
  const { nodePort = 0 } = firstOf(treeAt(portManifest(), "spec")["ports"]);
  const port = { type: "integer", minimum: 1, maximum: 65_535 };
  return [
    value("ingress.enabled", false, flag, "An Ingress to the gateway."),
    value("ingress.className", spec["ingressClassName"] ?? "", name, "Class of the Ingress."),
    value("ingress.host", "", text, "Host name; the default of `settings.PUBLIC_URL` is derived from it."),
    value(
      "ingress.tlsSecret",
      firstOf(spec["tls"])["secretName"] ?? "",
      text,
      "Secret of the certificate; empty: no TLS.",
    ),
    value(
      "ingress.annotations",
      annotations,
      texts,
      "Annotations of ingress-nginx for bodies of any size and responses of 300 s.",
    ),
    value("nodePort.enabled", false, flag, "A port of every node that leads to the gateway."),
    value("nodePort.port", nodePort, port, "That port."),
  ];
};

const network: readonly ChartValue[] = [
  value("networkPolicies.enabled", true, flag, "NetworkPolicies; nothing else may run in the namespace."),
  value("networkPolicies.extraEgress", [], list, "Additional egress rules of every service."),
  value(
    "privateCa.enabled",
    false,
    flag,
    "Trusts your own certificate authorities in addition to the public ones.",
  ),
  value("privateCa.configMap", "ikg-ca", name, "ConfigMap with their certificates as `ca.crt`."),
  value(
    "internalTls.enabled",
    false,
    flag,
    "TLS between services, each with a certificate for its name: a Secret `NAME-tls` with `tls.crt`, `tls.key` and `ca.crt`. Requires client certificates, unless `settings.INTERNAL_TLS_REQUIRE_CLIENT_CERTIFICATE` says otherwise.",
  ),
  value(
    "monitoring.enabled",
    false,
    flag,
    "ServiceMonitor, PrometheusRule and dashboards; needs the Prometheus operator.",
  ),
  value("monitoring.namespace", "monitoring", name, "Namespace that may read metrics."),
  value(
    "monitoring.labels",
    {},
    texts,
    "Labels by which the operator finds the ServiceMonitor and the PrometheusRule.",
  ),
];

/** The rows of the table of values. */
export const chartValues = (): readonly ChartValue[] => [
  ...images,
  settings(),
  ...secrets,
  ...stores(),
  ...entry(),
  ...network,
  ...serviceShape().map((each) => ({ ...each, path: ["serviceDefaults", ...each.path] })),
];

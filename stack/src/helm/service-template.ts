/** The template of a service: its objects of `k8s/base`, with what values choose. */
import { header, optional, printDocument } from "./document.ts";
import { containerIn, type Manifest, replaceAt, treeAt } from "./manifests.ts";
import { readPrivateCa } from "./private-ca.ts";
import { isSetting } from "./settings.ts";
import { Block, Expression, included, isTree, type Node, textOf, type Tree, within } from "./template.ts";

const list = (node: Node | undefined): readonly Node[] => (Array.isArray(node) ? node : []);

/** Variables with a text are settings, which are values of the chart; those from Secrets stay. */
const environment = (env: readonly Node[]): readonly Node[] =>
  env.filter((entry) => !(isTree(entry) && "value" in entry && isSetting(textOf(entry["name"]))));

const container = (name: string, manifest: Tree): Tree => {
  const ca = readPrivateCa();
  const startup = new Expression("$service.startupSeconds");
  // It is asked every second.
  const node = replaceAt(manifest, ["startupProbe", "failureThreshold"], startup);
  const {
    env,
    resources: _resources,
    volumeMounts,
    image: _image,
    imagePullPolicy: _policy,
    name: own,
    ...rest
  } = node;
  return {
    name: own ?? "",
    image: new Expression(`include "ikg.image" (dict "root" $ "name" "${name}" "image" $service.image)`),
    imagePullPolicy: new Expression(".Values.image.pullPolicy"),
    ...rest,
    env: [
      ...environment(list(env)),
      ca.env,
      within("range $name, $value := $service.settings", [
        { name: new Expression("$name"), value: new Expression('include "ikg.text" $value | quote') },
      ]),
      within("with $service.extraEnv", [included("toYaml .")]),
    ],
    ...within("with $service.resources", { resources: new Block("toYaml .") }),
    volumeMounts: [...list(volumeMounts), ca.volumeMounts],
  };
};

const placement = ["nodeSelector", "affinity", "tolerations"] as const;

const podSpec = (name: string, spec: Tree): Tree => {
  const { containers: _containers, volumes, ...rest } = spec;
  return {
    ...rest,
    ...optional("imagePullSecrets", ".Values.image.pullSecrets"),
    ...Object.assign({}, ...placement.map((key) => optional(key, `$service.${key}`))),
    ...within("with $service.priorityClassName", { priorityClassName: new Expression(". | quote") }),
    containers: [container(name, containerIn(spec))],
    volumes: [...list(volumes), readPrivateCa().volumes],
  };
};

const deployment = (name: string, manifest: Tree): Tree => {
  const { spec, ...rest } = manifest;
  const { selector = {}, template: _template, ...more } = treeAt({ spec: spec ?? {} }, "spec");
  const template = treeAt(manifest, "spec", "template");
  const metadata = treeAt(template, "metadata");
  return {
    ...rest,
    spec: {
      ...within("if not $service.autoscaling.enabled", { replicas: new Expression("$service.replicas") }),
      selector,
      ...more,
      template: {
        metadata: {
          ...metadata,
          labels: {
            ...treeAt(metadata, "labels"),
            "app.kubernetes.io/part-of": "ikg",
            ...within("with $service.podLabels", included("toYaml .")),
          },
          annotations: {
            // A changed setting starts the services anew.
            "checksum/settings": new Expression('include "ikg.settings" . | sha256sum'),
            ...within("with $service.podAnnotations", included("toYaml .")),
          },
        },
        spec: podSpec(name, treeAt(template, "spec")),
      },
    },
  };
};

const autoscaler = (manifest: Tree): Tree => {
  const spec = treeAt(manifest, "spec");
  const metrics: Node = [
    {
      type: "Resource",
      resource: {
        name: "cpu",
        target: {
          type: "Utilization",
          averageUtilization: new Expression("$service.autoscaling.cpuPercent"),
        },
      },
    },
  ];
  return {
    ...manifest,
    spec: {
      ...spec,
      minReplicas: new Expression("$service.autoscaling.minReplicas"),
      maxReplicas: new Expression("$service.autoscaling.maxReplicas"),
      metrics,
      ...optional("behavior", "$service.autoscaling.behavior"),
    },
  };
};

/** What values change of an object, and when it is there. */
const parametrized = (
  name: string,
  manifest: Manifest,
): { readonly tree: Tree; readonly condition?: string } => {
  switch (manifest.kind) {
    case "ServiceAccount": {
      const metadata = {
        ...manifest.metadata,
        ...optional("annotations", "$service.serviceAccountAnnotations"),
      };
      return { tree: { ...manifest, metadata } };
    }
    case "Deployment":
      return { tree: deployment(name, manifest) };
    case "PodDisruptionBudget":
      return {
        tree: replaceAt(
          manifest,
          ["spec", "minAvailable"],
          new Expression("$service.disruptionBudget.minAvailable"),
        ),
        condition: "$service.disruptionBudget.enabled",
      };
    case "HorizontalPodAutoscaler":
      return { tree: autoscaler(manifest), condition: "$service.autoscaling.enabled" };
    case "NetworkPolicy":
      return { tree: manifest, condition: ".Values.networkPolicies.enabled" };
    default:
      return { tree: manifest };
  }
};

export const serviceTemplate = (name: string, manifests: readonly Manifest[]): string =>
  [
    header(`k8s/base/services/${name}.yaml`),
    `{{- $service := mergeOverwrite (deepCopy .Values.serviceDefaults) (index .Values.services "${name}") }}\n`,
    ...manifests.map((manifest) => {
      const { tree, condition } = parametrized(name, manifest);
      return printDocument(tree, condition);
    }),
  ].join("");

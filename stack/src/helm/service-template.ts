/** The template of all services: the objects of `k8s/base` that they have in common, with what values choose. */
import { header, optional, printDocument } from "./document.ts";
import { internalTlsVariable, readInternalTls } from "./internal-tls.ts";
import { containerIn, firstOf, type Manifest, replaceAt, treeAt } from "./manifests.ts";
import { readPrivateCa } from "./private-ca.ts";
import { commonManifests } from "./service-parts.ts";
import { Block, Expression, included, itemsOf, type Node, type Tree, within } from "./template.ts";

/** A variable of each setting of one service. */
const ownSettings = within("range $key, $value := $service.settings", [
  { name: new Expression("$key"), value: new Expression('include "ikg.text" $value | quote') },
]);

const container = (manifest: Tree): Tree => {
  const ca = readPrivateCa();
  const tls = readInternalTls();
  // It is asked every second.
  const startup = new Expression("$service.startupSeconds");
  const node = replaceAt(
    { ...manifest, ...tls.probes(manifest) },
    ["startupProbe", "failureThreshold"],
    startup,
  );
  const { name, volumeMounts, imagePullPolicy: _policy, ...rest } = node;
  return {
    name: name ?? "",
    image: new Expression('include "ikg.image" (dict "root" $ "name" $name "image" $service.image)'),
    imagePullPolicy: new Expression(".Values.image.pullPolicy"),
    ...rest,
    envFrom: new Block("toYaml $own.envFrom"),
    env: [
      included('include "ikg.environment" (dict "root" $ "name" $name "entries" $own.env) | trim'),
      ca.env,
      tls.env,
      ownSettings,
      within("with $service.extraEnv", [included("toYaml .")]),
    ],
    ...within("with $service.resources", { resources: new Block("toYaml .") }),
    volumeMounts: [...itemsOf(volumeMounts), ca.volumeMounts, tls.volumeMounts],
  };
};

const placement = ["nodeSelector", "affinity", "tolerations"] as const;

const podSpec = (spec: Tree): Tree => {
  const { containers: _containers, volumes, ...rest } = spec;
  return {
    ...rest,
    terminationGracePeriodSeconds: new Expression("$service.terminationGracePeriodSeconds"),
    ...optional("imagePullSecrets", ".Values.image.pullSecrets"),
    ...Object.assign({}, ...placement.map((key) => optional(key, `$service.${key}`))),
    ...within("with $service.priorityClassName", { priorityClassName: new Expression(". | quote") }),
    containers: [container(containerIn(spec))],
    volumes: [...itemsOf(volumes), readPrivateCa().volumes, readInternalTls().volumes],
  };
};

const deployment = (manifest: Tree): Tree => {
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
        spec: podSpec(treeAt(template, "spec")),
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

const service = (manifest: Tree): Tree => {
  const { ports } = treeAt(manifest, "spec");
  const [, ...others] = itemsOf(ports);
  const { appProtocol } = readInternalTls();
  return replaceAt(manifest, ["spec", "ports"], [{ ...firstOf(ports), appProtocol }, ...others]);
};

/** What values change of an object, and when it exists. */
const parametrized = (manifest: Manifest): { readonly tree: Tree; readonly condition?: string } => {
  switch (manifest.kind) {
    case "ServiceAccount": {
      const annotations = optional("annotations", "$service.serviceAccountAnnotations");
      return { tree: { ...manifest, metadata: { ...manifest.metadata, ...annotations } } };
    }
    case "Deployment":
      return { tree: deployment(manifest) };
    case "Service":
      return { tree: service(manifest) };
    case "PodDisruptionBudget": {
      const minAvailable = new Expression("$service.disruptionBudget.minAvailable");
      return {
        tree: replaceAt(manifest, ["spec", "minAvailable"], minAvailable),
        condition: "$service.disruptionBudget.enabled",
      };
    }
    case "HorizontalPodAutoscaler":
      return { tree: autoscaler(manifest), condition: "$service.autoscaling.enabled" };
    case "NetworkPolicy":
      return {
        tree: replaceAt(manifest, ["spec", "ingress"], new Block("toYaml $own.ingress")),
        condition: "and .Values.networkPolicies.enabled $own.ingress",
      };
    default:
      return { tree: manifest };
  }
};

/** In its body `.` is the root, as everywhere else. */
const forEachService = `{{- range $name, $own := .Files.Get "files/services.yaml" | fromYaml }}
{{- $service := mergeOverwrite (deepCopy $.Values.serviceDefaults) (index $.Values.services $name | default dict) }}
${internalTlsVariable}
{{- with $ }}
`;

export const servicesTemplate = (): string => {
  const documents = commonManifests().map((manifest) => {
    const { tree, condition } = parametrized(manifest);
    return printDocument(tree, condition);
  });
  return [header("k8s/base/services"), forEachService, ...documents, "{{- end }}\n{{- end }}\n"].join("");
};

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { settingRows } from "@ikg/service";
import { parse, parseAllDocuments } from "yaml";
import { serviceSettings } from "../services/service-settings.ts";
import { variablePrefix } from "../stores/redis-users.ts";
import { type ServiceName, services } from "../services/service-names.ts";
import { inRepository } from "../repository.ts";
import { strayConnections } from "./connections.ts";
import type { ClusterObject } from "./network.ts";

interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
}

interface TlsComponent {
  readonly configMapGenerator: readonly { readonly name: string; readonly literals: readonly string[] }[];
  readonly patches: readonly { readonly target: { readonly name: string }; readonly patch: string }[];
}

interface Manifest extends ClusterObject {
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

interface Container {
  readonly name: string;
  readonly image?: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[] };
  };
}

interface PodSpec {
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly object[];
}

// Ours, with these shapes.
const read = (file: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(inRepository(file), "utf8"), { merge: true }).map(
    (document) => document.toJS() as Manifest,
  );

/** What a kustomization is made of, before its patches. */
const manifestsOf = (folder: string): readonly Manifest[] => {
  const text = readFileSync(inRepository(folder, "kustomization.yaml"), "utf8");
  const { resources = [], components = [] } = parse(text) as Kustomization;
  return [...resources, ...components].flatMap((each) => {
    const path = join(folder, each);
    return each.endsWith(".yaml") ? read(path) : manifestsOf(path);
  });
};

const podOf = ({ spec }: Manifest): PodSpec | undefined =>
  (spec as { readonly template?: { readonly spec: PodSpec } } | undefined)?.template?.spec;

/** Pods that no patch of a kustomization completes. */
const stores = read("k8s/overlays/local/stores.yaml").filter((manifest) => podOf(manifest) !== undefined);
const ofBackups = ["neo4j", "redis"].flatMap((store) => read(`k8s/backup/jobs/${store}.yaml`));
const jobs = ofBackups.filter(({ kind }) => kind === "Job");
const complete = [...stores, ...jobs];

/** The objects of an overlay, with the ports that one patch gives to every service. */
const withPorts = (overlay: string): readonly Manifest[] => {
  const [patch] = read("k8s/base/patches/deployment.yaml");
  const ports = patch && podOf(patch)?.containers[0]?.ports;
  return manifestsOf(`k8s/overlays/${overlay}`).map((manifest) => {
    if (manifest.kind !== "Deployment") return manifest;
    const { template } = manifest.spec as { readonly template: object };
    return { ...manifest, spec: { template: { ...template, spec: { containers: [{ ports }] } } } };
  });
};

describe("k8s", () => {
  it("needs no Prometheus operator but for k8s/monitoring", () => {
    const kinds = (folder: string): readonly string[] =>
      manifestsOf(folder).flatMap(({ apiVersion, kind }) =>
        apiVersion.startsWith("monitoring.coreos.com/") ? [kind] : [],
      );
    for (const overlay of ["local", "production", "test"])
      expect(kinds(`k8s/overlays/${overlay}`)).toEqual([]);
    expect(kinds("k8s/monitoring")).toEqual(["ServiceMonitor", "PrometheusRule"]);
  });

  it.each(["local", "production"])("lets no pod of %s call what it need not", (overlay) => {
    expect(strayConnections(withPorts(overlay)).faults).toEqual([]);
  });

  it("has an Ingress for one class of controllers that passes on what the gateway takes, for as long", () => {
    const ingress = read("k8s/overlays/production/ingress.yaml")[0];
    expect(ingress?.spec).toHaveProperty("ingressClassName", "nginx");
    const readAnnotation = (name: string): string | undefined =>
      ingress?.metadata.annotations?.[`nginx.ingress.kubernetes.io/${name}`];
    expect(readAnnotation("proxy-body-size")).toBe("0");
    expect(readAnnotation("proxy-request-buffering")).toBe("off");
    expect(readAnnotation("proxy-buffering")).toBe("off");
    const longest = Number(
      settingRows(serviceSettings.gateway).find(({ name }) => name === "LIMIT_CIQ_MS")?.default,
    );
    expect(longest).toBeGreaterThanOrEqual(300_000);
    for (const name of ["proxy-read-timeout", "proxy-send-timeout"])
      expect(Number(readAnnotation(name)) * 1_000).toBeGreaterThan(longest);
  });

  it.each([
    ["local", ""],
    ["production", "10.0.0.0/8"],
  ])("names in %s the proxies in front of the gateway", (overlay, proxies) => {
    const text = readFileSync(inRepository(`k8s/overlays/${overlay}/kustomization.yaml`), "utf8");
    const { configMapGenerator } = parse(text) as {
      readonly configMapGenerator: readonly { readonly literals?: readonly string[] }[];
    }; // ours, with this shape
    const literals = configMapGenerator.flatMap((each) => each.literals ?? []);
    expect(literals).toContain(`TRUSTED_PROXIES=${proxies}`);
  });

  it.each(complete.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    "%s may run where pod security is restricted",
    (_, manifest) => {
      const pod = podOf(manifest);
      expect(pod?.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      for (const { securityContext } of [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])])
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
        });
    },
  );

  it("says for every container what it needs and how much memory it may have", () => {
    const all = manifestsOf("k8s/overlays/local").flatMap((manifest) => {
      const pod = podOf(manifest);
      return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])].map(
        ({ name, resources }) => [`${manifest.metadata.name} ${name}`, resources] as const,
      );
    });
    // Neo4j and Redis besides.
    expect(all).toHaveLength(services.length + 2);
    for (const [name, resources] of all)
      expect([name, resources]).toEqual([
        name,
        {
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        },
      ]);
  });

  it.each(stores.map((manifest) => [manifest.metadata.name, manifest] as const))(
    "copies what %s holds as that store itself, with nothing but its volumes to write to",
    (name, store) => {
      const job = jobs.find(({ metadata }) => metadata.name === `${name}-copy`);
      const [pod, own] = [job && podOf(job), podOf(store)];
      expect(pod?.securityContext).toEqual(own?.securityContext);
      expect(pod?.containers.map(({ image }) => image)).toEqual(own?.containers.map(({ image }) => image));
      expect(pod?.containers[0]?.securityContext).toHaveProperty("readOnlyRootFilesystem", true);
      // The claim of its StatefulSet, by the name that this gives it.
      expect(pod?.volumes).toContainEqual({
        name: "data",
        persistentVolumeClaim: { claimName: `data-${name}-0` },
      });
    },
  );

  it("restores into claims as the StatefulSets would make them", () => {
    const templates = stores.map(({ metadata, spec }) => {
      // A StatefulSet of this repository.
      const { volumeClaimTemplates } = spec as { readonly volumeClaimTemplates: readonly { spec: object }[] };
      return [`data-${metadata.name}-0`, volumeClaimTemplates[0]?.spec];
    });
    const claims = read("k8s/backup/restore/claims.yaml").map(({ metadata, spec }) => [metadata.name, spec]);
    expect(claims).toEqual(templates);
  });

  it("mounts authorities of one's own where Node looks for them", () => {
    const text = readFileSync(inRepository("k8s/components/private-ca/kustomization.yaml"), "utf8");
    // Ours, with this shape; patches are texts.
    const [patch] = (parse(text) as { readonly patches: readonly { readonly patch: string }[] }).patches;
    expect(parse(patch?.patch ?? "")).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [
              {
                name: "service",
                env: [{ name: "NODE_EXTRA_CA_CERTS", value: "/etc/ikg/ca.crt" }],
                volumeMounts: [{ name: "ca", mountPath: "/etc/ikg", readOnly: true }],
              },
            ],
            volumes: [{ name: "ca", configMap: { name: "ikg-ca" } }],
          },
        },
      },
    });
  });

  it("gives every service that is called, and the gateway, a certificate of its own for TLS between services", () => {
    const component = parse(
      readFileSync(inRepository("k8s/components/internal-tls/kustomization.yaml"), "utf8"),
    ) as TlsComponent; // ours, with this shape
    const base = parse(readFileSync(inRepository("k8s/base/kustomization.yaml"), "utf8")) as TlsComponent;
    const literals = ({ configMapGenerator }: TlsComponent) =>
      configMapGenerator.find(({ name }) => name === "upstreams")?.literals;
    expect(literals(component)).toEqual(literals(base)?.map((each) => each.replace("http:", "https:")));
    const secrets = component.patches.flatMap(({ target, patch }) => {
      const secret = /secretName: (\S+)/.exec(patch)?.[1];
      return secret === undefined ? [] : [`${target.name}: ${secret}`];
    });
    const named = services.filter((name) => name !== "trust-scorer");
    expect(secrets.toSorted()).toEqual(named.map((name) => `${name}: ${name}-tls`).toSorted());
  });

  it("gives every service its own user of Neo4j by the component neo4j-users, and changes nothing else", () => {
    const text = readFileSync(inRepository("k8s/components/neo4j-users/kustomization.yaml"), "utf8");
    const { patches } = parse(text) as Pick<TlsComponent, "patches">; // ours, with this shape
    const entries = patches.map(({ target, patch }) => {
      const { spec } = parse(patch) as Manifest; // of a Deployment
      return [target.name, spec] as const;
    });
    const own = (service: ServiceName, name: string): object => ({
      name,
      valueFrom: { secretKeyRef: { name: "ikg-stores", key: `${variablePrefix(service)}_${name}` } },
    });
    const env = (service: ServiceName): readonly object[] => [
      own(service, "NEO4J_USERNAME"),
      own(service, "NEO4J_PASSWORD"),
    ];
    expect(Object.fromEntries(entries)).toEqual(
      Object.fromEntries(
        services.map((name) => [
          name,
          { template: { spec: { containers: [{ name: "service", env: env(name) }] } } },
        ]),
      ),
    );
  });
});

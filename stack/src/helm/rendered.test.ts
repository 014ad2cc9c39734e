import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { strayConnections } from "../kubernetes/connections.ts";
import { withComponent } from "../kubernetes/with-component.ts";
import { services } from "../parts/service-names.ts";
import { inRepository } from "../repository.ts";
import { type Helm, helmAbsent, prepareHelm } from "../system/helm.ts";
import { isLongRun } from "../testing/test-environment.ts";
import { versions } from "../versions.ts";
import { chartFolder } from "./chart.ts";
import { comparable } from "./comparable.ts";
import { lintChart, type Rendered, renderChart, renderOverlay, type Values } from "./render.ts";

const absent = helmAbsent();
const local: Values = { files: ["examples/local.yaml"] };
/** With the registry of the overlay, as the comment of the example shows it. */
const production: Values = {
  files: ["examples/production.yaml"],
  values: { image: { registry: "registry.example.com" } },
};

/** The variables that the pods of a service get. */
const environmentOf = (objects: readonly Rendered[], service: string): Readonly<Record<string, unknown>> => {
  const deployment = comparable(objects)[`Deployment ${service}`] as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly object[] } } };
  };
  return Reflect.get(deployment.spec.template.spec.containers[0] ?? {}, "environment") as Record<
    string,
    unknown
  >;
};

const imageOf = (objects: readonly Rendered[], kind: string, name: string): unknown => {
  const found = objects.find((each) => each.kind === kind && each.metadata.name === name);
  const spec = found?.spec as { template: { spec: { containers: { image: string }[] } } } | undefined; // a workload
  return spec?.template.spec.containers[0]?.image;
};

const kinds = (objects: readonly Rendered[]): ReadonlySet<string> => new Set(objects.map(({ kind }) => kind));

const readme = readFileSync(inRepository(chartFolder, "README.md"), "utf8");
const operations = readFileSync(inRepository("docs", "operations.md"), "utf8");

/** Files of values in the commands of pages; `production.yaml` is the reader's copy of the example. */
const documentedFiles = [...`${readme}${operations}`.matchAll(/^ *helm (?:install|upgrade) ikg (.*)$/gm)].map(
  ([, args = ""]) => args.replace(/ production\.yaml /, ` ${chartFolder}/examples/production.yaml `),
);

/** `npm test` takes the current major version; the one before renders the same. */
const releases = isLongRun() ? versions.helm : versions.helm.slice(0, 1);

const withHelm = absent === undefined ? describe : describe.skip;

withHelm(`the Helm chart${absent === undefined ? "" : ` (${absent})`}`, () => {
  describe.each(releases.map((release) => [release.version, release] as const))(
    "by Helm %s",
    (_, release) => {
      let helm: Helm;
      beforeAll(async () => {
        helm = await prepareHelm(release);
      }, 300_000);

      it.each([
        ["its own values", {}],
        ["the values of a machine of one's own", local],
        ["those of production", production],
      ])("passes helm lint with %s", async (_name, values) => {
        expect(await lintChart(helm, values)).toContain("1 chart(s) linted, 0 chart(s) failed");
      });

      it.each([
        ["local", local],
        ["production", production],
      ])("makes what the overlay %s makes", async (overlay, values) => {
        const [made, wanted] = [
          await renderChart(helm, values),
          await renderOverlay(helm, `k8s/overlays/${overlay}`),
        ];
        expect(Object.keys(comparable(wanted)).length).toBeGreaterThan(40);
        expect(comparable(made)).toEqual(comparable(wanted));
      });

      it("is installed and upgraded by the commands of its pages", () => {
        expect(documentedFiles).toHaveLength(8);
        for (const args of documentedFiles)
          expect(args).toMatch(
            /^(deploy\/helm\/ikg|ikg-X\.Y\.Z\.tgz) --namespace ikg --values ((deploy\/helm\/)?ikg\/examples\/(local|production)|values)\.yaml --wait --timeout 10m( \\)?$/,
          );
      });

      it("takes the values that its page shows", async () => {
        const [, shown = ""] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
        const made = await renderChart(helm, { ...production, values: parse(shown) as object }); // ours
        expect(environmentOf(made, "gateway")).toMatchObject({
          OIDC_AUDIENCE: "https://ikg.example.com",
          NODE_EXTRA_CA_CERTS: "/etc/ikg/ca.crt",
          INTERNAL_TLS_CA: "/etc/ikg-tls/ca.crt",
          UPSTREAM_ACCESS: "https://access:8080",
        });
        expect(comparable(made)["NetworkPolicy services-call-more"]).toMatchObject({
          spec: { egress: [{ ports: [{ port: 8443 }] }] },
        });
        expect(comparable(made)["ServiceMonitor ikg"]).toMatchObject({
          metadata: { labels: { release: "kube-prometheus-stack" } },
        });
      });

      it("takes images from the registry of the chart with the values of production as they stand", async () => {
        const made = await renderChart(helm, { files: production.files ?? [] });
        expect(imageOf(made, "Deployment", "gateway")).toMatch(/^ikg\/gateway:/);
      });

      it.each([
        ["trusts authorities of one's own", "private-ca", { privateCa: { enabled: true } }],
        ["has TLS between services", "internal-tls", { internalTls: { enabled: true } }],
        ["has a user of Neo4j for each service", "neo4j-users", { neo4jUsers: { enabled: true } }],
      ] as const)("%s as the component %s does", async (_name, component, values) => {
        const made = await renderChart(helm, { ...production, values: { ...production.values, ...values } });
        const wanted = await withComponent("k8s/overlays/production", component, (folder) =>
          renderOverlay(helm, folder),
        );
        expect(comparable(made)).toEqual(comparable(wanted));
      });

      it("takes the certificate of a service from the Secret of a value, and callers without one where a setting says so", async () => {
        const made = await renderChart(helm, {
          values: {
            internalTls: { enabled: true },
            settings: { INTERNAL_TLS_REQUIRE_CLIENT_CERTIFICATE: false },
            services: { access: { internalTls: { secret: "access-certificate" } } },
          },
        });
        const secretOf = (name: string): unknown => {
          const { spec } = comparable(made)[`Deployment ${name}`] as {
            readonly spec: { readonly template: { readonly spec: { readonly volumes: readonly object[] } } };
          };
          return spec.template.spec.volumes.flatMap((volume) => Reflect.get(volume, "secret") ?? []);
        };
        expect(["access", "gateway", "trust-scorer"].map(secretOf)).toEqual([
          [{ secretName: "access-certificate" }],
          [{ secretName: "gateway-tls" }],
          [],
        ]);
        expect(environmentOf(made, "access")).toMatchObject({
          INTERNAL_TLS_REQUIRE_CLIENT_CERTIFICATE: "false",
          INTERNAL_TLS_CA: "/etc/ikg-tls/ca.crt",
        });
      });

      it("is monitored as k8s/monitoring says", async () => {
        const plain = await renderChart(helm);
        const made = await renderChart(helm, { values: { monitoring: { enabled: true } } });
        const { length } = Object.keys(comparable(plain));
        const wanted = comparable(await renderOverlay(helm, "k8s/monitoring"));
        expect(Object.keys(wanted)).toHaveLength(3);
        expect(comparable(made)).toMatchObject(wanted);
        expect(Object.keys(comparable(made))).toHaveLength(length + 3);
      });

      it.each([
        ["local", local],
        ["production", production],
      ])("lets no pod call what it need not with the values of %s", async (_name, values) => {
        expect(strayConnections(await renderChart(helm, values)).faults).toEqual([]);
      });

      it("hands settings on as texts, to every service or to one", async () => {
        const made = await renderChart(helm, {
          values: {
            settings: { LIMIT_IMPORT_BYTES: 64_000_000_000, AUDIT_RECORDS: false, LOG_LEVEL: "warn" },
            services: {
              "trust-scorer": { settings: { TRUST_SCHEDULE_SCALE: 0.0003, LOG_LEVEL: "debug" } },
            },
          },
        });
        const common = { LIMIT_IMPORT_BYTES: "64000000000", AUDIT_RECORDS: "false", DRAIN_DELAY_MS: "3000" };
        expect(environmentOf(made, "access")).toMatchObject({ ...common, LOG_LEVEL: "warn" });
        expect(environmentOf(made, "access")).not.toHaveProperty("TRUST_SCHEDULE_SCALE");
        expect(environmentOf(made, "trust-scorer")).toMatchObject({
          ...common,
          TRUST_SCHEDULE_SCALE: "0.0003",
          LOG_LEVEL: "debug",
        });
      });

      it("gives pods the time to stop of a value, all of them or those of a service", async () => {
        const made = await renderChart(helm, {
          values: {
            serviceDefaults: { terminationGracePeriodSeconds: 60 },
            services: {
              capture: { terminationGracePeriodSeconds: 330, settings: { DRAIN_SECONDS: 300 } },
            },
          },
        });
        for (const name of services)
          expect(comparable(made)[`Deployment ${name}`]).toMatchObject({
            spec: {
              template: { spec: { terminationGracePeriodSeconds: name === "capture" ? 330 : 60 } },
            },
          });
      });

      it("starts the services anew after a changed setting", async () => {
        const sums = async (values: object): Promise<ReadonlySet<string>> => {
          const deployments = (await renderChart(helm, { values })).filter(
            ({ kind }) => kind === "Deployment",
          );
          expect(deployments).toHaveLength(services.length);
          return new Set(
            deployments.map(({ spec }) => {
              const { template } = spec as {
                template: { metadata: { annotations: Record<string, string> } };
              };
              return template.metadata.annotations["checksum/settings"] ?? "";
            }),
          );
        };
        const [before, after] = [await sums({}), await sums({ settings: { LOG_LEVEL: "warn" } })];
        expect([before.size, after.size]).toEqual([1, 1]);
        expect([...before]).not.toEqual([...after]);
      });

      it("chooses images by registry, tag and digest", async () => {
        const digest = `sha256:${"0".repeat(64)}`;
        const made = await renderChart(helm, {
          values: {
            image: { registry: "registry.example.com", tag: "1.2.3" },
            services: { access: { image: { digest } }, ciq: { image: { tag: "1.2.4" } } },
          },
        });
        const image = (name: string): unknown => imageOf(made, "Deployment", name);
        expect(image("gateway")).toBe("registry.example.com/ikg/gateway:1.2.3");
        expect(image("access")).toBe(`registry.example.com/ikg/access@${digest}`);
        expect(image("ciq")).toBe("registry.example.com/ikg/ciq:1.2.4");
        expect(imageOf(made, "Job", "make-secrets")).toBe("registry.example.com/ikg/configs:1.2.3");
      });

      it("makes no value of a Secret, and lets its Job write these Secrets alone", async () => {
        const made = await renderChart(helm);
        expect(kinds(made).has("Secret")).toBe(false);
        const role = made.find(({ kind }) => kind === "Role") as
          | { readonly rules?: readonly object[] }
          | undefined;
        expect(role?.rules).toEqual([
          {
            apiGroups: [""],
            resources: ["secrets"],
            resourceNames: ["ikg-keys", "ikg-stores"],
            verbs: ["get", "patch"],
          },
          { apiGroups: [""], resources: ["secrets"], verbs: ["create"] },
        ]);
        expect(kinds(await renderChart(helm, production)).has("Role")).toBe(false);
      });

      it("leaves out what values turn off, for all services or for one", async () => {
        const off = { enabled: false };
        const none = kinds(
          await renderChart(helm, {
            values: { networkPolicies: off, serviceDefaults: { autoscaling: off, disruptionBudget: off } },
          }),
        );
        for (const kind of ["NetworkPolicy", "HorizontalPodAutoscaler", "PodDisruptionBudget"])
          expect(none.has(kind)).toBe(false);
        const one = await renderChart(helm, {
          values: { services: { access: { autoscaling: off, replicas: 5 } } },
        });
        const scaled = one
          .filter(({ kind }) => kind === "HorizontalPodAutoscaler")
          .map(({ metadata }) => metadata.name);
        expect(scaled.toSorted()).toEqual(services.filter((name) => name !== "access").toSorted());
        expect(comparable(one)["Deployment access"]).toMatchObject({ spec: { replicas: 5 } });
      });

      it.each([
        ["an unknown value", { image: { registri: "x" } }, "registri"],
        ["an unknown service", { services: { acces: {} } }, "acces"],
        ["an unknown setting", { settings: { LOG_LEVL: "warn" } }, "LOG_LEVL"],
        [
          "a setting of another service",
          { services: { gateway: { settings: { TRUST_CONCURRENCY: 1 } } } },
          "TRUST_CONCURRENCY",
        ],
        ["a word that is none of a setting's", { settings: { LOG_LEVEL: "loud" } }, "LOG_LEVEL"],
        ["a text for a number", { settings: { NEO4J_POOL_SIZE: "many" } }, "NEO4J_POOL_SIZE"],
        ["a number that is too small", { settings: { NEO4J_POOL_SIZE: 0 } }, "NEO4J_POOL_SIZE"],
        [
          "a pod without time to stop",
          { services: { access: { terminationGracePeriodSeconds: 0 } } },
          "terminationGracePeriodSeconds",
        ],
        ["a number for a flag", { settings: { AUDIT_RECORDS: 1 } }, "AUDIT_RECORDS"],
        ["a secret", { settings: { CONFIG_ENCRYPTION_KEY: "x" } }, "CONFIG_ENCRYPTION_KEY"],
        ["a port of a service", { settings: { PORT: 80 } }, "PORT"],
        ["a digest that is none", { services: { access: { image: { digest: "latest" } } } }, "digest"],
        ["stores outside without an address", { stores: { embedded: false } }, "NEO4J_URI"],
        ["stores inside with another address", { settings: { NEO4J_URI: "bolt://x:7687" } }, ""],
        ["an Ingress without a host", { ingress: { enabled: true } }, "host"],
        ["users of Neo4j inside", { neo4jUsers: { enabled: true } }, "embedded"],
      ])("refuses %s", async (_name, values, told) => {
        const refused = await renderChart(helm, { values }).catch(({ stderr }: { stderr: string }) => stderr);
        expect(refused).toContain("values don't meet the specifications of the schema");
        expect(refused).toContain(told);
      });
    },
  );
});

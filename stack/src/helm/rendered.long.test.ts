import { expect, it } from "@jest/globals";
import { strayConnections } from "../kubernetes/connections.ts";
import { withComponent } from "../kubernetes/with-component.ts";
import { services } from "../services/service-names.ts";
import { comparable } from "./comparable.ts";
import { lintChart, renderOverlay } from "./render.ts";
import {
  describeChart,
  environmentOf,
  expectOverlay,
  expectRefusal,
  helm,
  imageOf,
  kinds,
  local,
  production,
  renderOnce,
} from "./rendered.ts";

describeChart(() => {
  it.each([
    ["its own values", {}],
    ["those of a machine of one's own", local],
  ])("passes helm lint with %s", async (_name, values) => {
    expect(await lintChart(helm, values)).toContain("1 chart(s) linted, 0 chart(s) failed");
  });

  it("makes what the overlay local makes", () => expectOverlay(local, "k8s/overlays/local"));

  it("lets no pod call what it need not with the values of a machine of one's own", async () => {
    expect(strayConnections(await renderOnce(helm, local)).faults).toEqual([]);
  });

  it("is monitored as k8s/monitoring says", async () => {
    const plain = await renderOnce(helm);
    const made = await renderOnce(helm, { values: { monitoring: { enabled: true } } });
    const { length } = Object.keys(comparable(plain));
    const wanted = comparable(await renderOverlay(helm, "k8s/monitoring"));
    expect(Object.keys(wanted)).toHaveLength(3);
    expect(comparable(made)).toMatchObject(wanted);
    expect(Object.keys(comparable(made))).toHaveLength(length + 3);
  });

  it("takes images from the registry of the chart with the values of production as they stand", async () => {
    const made = await renderOnce(helm, { files: production.files ?? [] });
    expect(imageOf(made, "Deployment", "gateway")).toMatch(/^ikg\/gateway:/);
  });

  it.each([
    ["has TLS between services", "internal-tls", { internalTls: { enabled: true } }],
    ["trusts authorities of one's own", "private-ca", { privateCa: { enabled: true } }],
    ["has a user of Neo4j for each service", "neo4j-users", { neo4jUsers: { enabled: true } }],
  ] as const)("%s as the component %s does", async (_name, component, values) => {
    const made = await renderOnce(helm, { ...production, values: { ...production.values, ...values } });
    const wanted = await withComponent("k8s/overlays/production", component, (folder) =>
      renderOverlay(helm, folder),
    );
    expect(comparable(made)).toEqual(comparable(wanted));
  });

  it("takes the certificate of a service from the Secret of a value, and callers without one where a setting says so", async () => {
    const made = await renderOnce(helm, {
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

  it("gives pods the time to stop of a value, all of them or those of a service", async () => {
    const made = await renderOnce(helm, {
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

  it("chooses images by registry, tag and digest", async () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const made = await renderOnce(helm, {
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

  it("leaves out what values turn off, for all services or for one", async () => {
    const off = { enabled: false };
    const none = kinds(
      await renderOnce(helm, {
        values: { networkPolicies: off, serviceDefaults: { autoscaling: off, disruptionBudget: off } },
      }),
    );
    for (const kind of ["NetworkPolicy", "HorizontalPodAutoscaler", "PodDisruptionBudget"])
      expect(none.has(kind)).toBe(false);
    const one = await renderOnce(helm, {
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
    ["a number that is too small", { settings: { NEO4J_POOL_SIZE: 0 } }, "NEO4J_POOL_SIZE"],
    ["stores outside without an address", { stores: { embedded: false } }, "NEO4J_URI"],
    ["users of Neo4j inside", { neo4jUsers: { enabled: true } }, "embedded"],
    [
      "a setting of another service",
      { services: { gateway: { settings: { TRUST_CONCURRENCY: 1 } } } },
      "TRUST_CONCURRENCY",
    ],
    ["a word that is none of a setting's", { settings: { LOG_LEVEL: "loud" } }, "LOG_LEVEL"],
    ["a text for a number", { settings: { NEO4J_POOL_SIZE: "many" } }, "NEO4J_POOL_SIZE"],
    [
      "a pod without time to stop",
      { services: { access: { terminationGracePeriodSeconds: 0 } } },
      "terminationGracePeriodSeconds",
    ],
    ["a number for a flag", { settings: { AUDIT_RECORDS: 1 } }, "AUDIT_RECORDS"],
    ["a port of a service", { settings: { PORT: 80 } }, "PORT"],
    ["a digest that is none", { services: { access: { image: { digest: "latest" } } } }, "digest"],
    ["stores inside with another address", { settings: { NEO4J_URI: "bolt://x:7687" } }, ""],
    ["an Ingress without a host", { ingress: { enabled: true } }, "host"],
  ])("refuses %s", (_name, values, text) => expectRefusal(values, text));
});

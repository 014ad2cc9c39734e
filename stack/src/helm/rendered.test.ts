import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { parse } from "yaml";
import { strayConnections } from "../kubernetes/connections.ts";
import { services } from "../services/service-names.ts";
import { inRepository } from "../repository.ts";
import { chartFolder } from "./chart.ts";
import { comparable } from "./comparable.ts";
import { lintChart } from "./render.ts";
import {
  describeChart,
  environmentOf,
  expectOverlay,
  expectRefusal,
  helm,
  kinds,
  production,
  renderOnce,
} from "./rendered.ts";

const readme = readFileSync(inRepository(chartFolder, "README.md"), "utf8");
const operations = readFileSync(inRepository("docs", "operations.md"), "utf8");

/** Files of values in the commands of pages; `production.yaml` is the reader's copy of the example. */
const documentedFiles = [...`${readme}${operations}`.matchAll(/^ *helm (?:install|upgrade) ikg (.*)$/gm)].map(
  ([, args = ""]) => args.replace(/ production\.yaml /, ` ${chartFolder}/examples/production.yaml `),
);

describeChart(() => {
  it("passes helm lint with the values of production", async () => {
    expect(await lintChart(helm, production)).toContain("1 chart(s) linted, 0 chart(s) failed");
  });

  it("makes what the overlay production makes", () => expectOverlay(production, "k8s/overlays/production"));

  it("is installed and upgraded by the commands of its pages", () => {
    expect(documentedFiles).toHaveLength(7);
    for (const args of documentedFiles)
      expect(args).toMatch(
        /^(deploy\/helm\/ikg|ikg-X\.Y\.Z\.tgz) --namespace ikg --values ((deploy\/helm\/)?ikg\/examples\/(local|production)|values)\.yaml --wait --timeout 10m( \\)?$/,
      );
  });

  it("takes the values that its page shows", async () => {
    const [, shown = ""] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
    const made = await renderOnce(helm, { ...production, values: parse(shown) as object }); // ours
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

  it("lets no pod call what it need not with the values of production", async () => {
    expect(strayConnections(await renderOnce(helm, production)).faults).toEqual([]);
  });

  it("hands settings on as texts, to every service or to one", async () => {
    const made = await renderOnce(helm, {
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

  it("starts the services anew after a changed setting", async () => {
    const sums = async (values: object): Promise<ReadonlySet<string>> => {
      const deployments = (await renderOnce(helm, { values })).filter(({ kind }) => kind === "Deployment");
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

  it("makes no value of a Secret, and lets its Job write these Secrets alone", async () => {
    const made = await renderOnce(helm);
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
    expect(kinds(await renderOnce(helm, production)).has("Role")).toBe(false);
  });

  it.each([
    ["an unknown setting", { settings: { LOG_LEVL: "warn" } }, "LOG_LEVL"],
    ["a secret", { settings: { CONFIG_ENCRYPTION_KEY: "x" } }, "CONFIG_ENCRYPTION_KEY"],
  ])("refuses %s", (_name, values, text) => expectRefusal(values, text));
});

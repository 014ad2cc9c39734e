import { readdirSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { services } from "../services/service-names.ts";
import { inRepository } from "../repository.ts";
import { resourcesOf } from "./kustomization.ts";

interface Ingress {
  readonly from?: readonly {
    readonly podSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  }[];
  readonly ports?: readonly { readonly port: string }[];
}

/** Overlays that people deploy; the one of our tests opens more. */
const overlays = readdirSync(inRepository("k8s/overlays")).filter((name) => name !== "test");

const name = "app.kubernetes.io/name";

describe.each(overlays)("the network policies of %s", (overlay) => {
  const objects = resourcesOf(`k8s/overlays/${overlay}`);
  const callersOf = (service: string): readonly string[] =>
    objects
      .filter(({ kind, metadata }) => kind === "NetworkPolicy" && metadata.name === service)
      .flatMap(({ spec }) => (spec as { readonly ingress: readonly Ingress[] }).ingress)
      .filter(({ ports }) => ports?.some(({ port }) => port === "http") ?? true)
      .flatMap(
        ({ from }) =>
          from?.map(({ podSelector }) => podSelector?.matchLabels?.[name] ?? "any pod") ?? ["anybody"],
      );

  it("name the callers of each service", () => {
    expect(Object.fromEntries(services.map((service) => [service, callersOf(service)]))).toEqual({
      gateway: ["anybody"],
      configs: ["gateway"],
      capture: ["gateway"],
      access: ["gateway", "mcp"],
      ciq: ["gateway", "mcp"],
      mcp: ["gateway"],
      audit: ["gateway"],
      "trust-scorer": [],
    });
  });

  it("close what no policy names", () => {
    const closed = objects.filter(
      ({ kind, spec }) =>
        kind === "NetworkPolicy" &&
        JSON.stringify(spec) === JSON.stringify({ podSelector: {}, policyTypes: ["Ingress", "Egress"] }),
    );
    expect(closed).toHaveLength(1);
  });
});

import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { textInRepository } from "../repository.ts";
import { imageVariable } from "./neo4j-memory.ts";
import { neo4jConfiguration } from "./neo4j.ts";

/** By decision 19: one project that grows would make the plans of all stale. */
const wanted = {
  "dbms.cypher.min_replan_interval": "60s",
  "dbms.cypher.statistics_divergence_threshold": "0.9",
} as const;

interface Compose {
  readonly services: { readonly neo4j: { readonly environment: Readonly<Record<string, string>> } };
}
interface Values {
  readonly stores: { readonly neo4j: { readonly env: Readonly<Record<string, string>> } };
}

describe.each(Object.entries(wanted))("the setting %s", (name, value) => {
  const variable = imageVariable(name);
  it("is that of npm start", () => {
    expect(neo4jConfiguration("/d", "/l", 1)).toContain(`\n${name}=${value}\n`);
  });
  it("is that of Compose", () => {
    const { environment } = (parse(textInRepository("docker-compose.yml")) as Compose).services.neo4j;
    expect(environment[variable]).toBe(value);
  });
  it("is that of the chart", () => {
    const { env } = (parse(textInRepository("deploy/helm/ikg/values.yaml")) as Values).stores.neo4j;
    expect(env[variable]).toBe(value);
  });
  it("is that of the overlay", () => {
    expect(textInRepository("k8s/overlays/local/stores.yaml")).toMatch(
      new RegExp(`name: ${variable}, value: "?${value}"? }`),
    );
  });
  it("is in the page of operators", () => {
    expect(textInRepository("docs/operations.md")).toContain(`\`${name}=${value}\``);
  });
});

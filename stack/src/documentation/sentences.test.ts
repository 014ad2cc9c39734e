/** Sentences of the documentation that follow from the code: what they say is computed and compared. */
import { globSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { recordSchemas } from "@ikg/audit";
import { signingProviders } from "@ikg/contracts";
import { settingRows } from "@ikg/service";
import type { ServiceName } from "../services/service-names.ts";
import { serviceSettings } from "../services/service-settings.ts";
import { keysOfService } from "../services/variables.ts";
import { repository, textInRepository } from "../repository.ts";

const files = (pattern: string): string[] =>
  globSync(pattern, { cwd: repository, exclude: (path) => /(^|\/)node_modules(\/|$)/.test(path) }).toSorted();

/** The row of a table that begins so. */
const rowOf = (page: string, begin: string): string => {
  const row = textInRepository(page)
    .split("\n")
    .find((line) => line.startsWith(`| ${begin}`));
  if (row === undefined) throw new Error(`${page} has no row ${begin}`);
  return row;
};

const cellsOf = (row: string): string[] =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** A constant of milliseconds, in seconds. */
const secondsOf = (path: string, constant: string): string => {
  const [, ms = ""] = new RegExp(`const ${constant} = ([\\d_]+);`).exec(textInRepository(path)) ?? [];
  return `${Number(ms.replaceAll("_", "")) / 1_000} s`;
};

describe("the documentation", () => {
  const pages = [...files("docs/*.md"), "README.md"];

  it("names settings that there are", () => {
    const settings = new Set(
      Object.values(serviceSettings).flatMap((each) => settingRows(each).map(({ name }) => name)),
    );
    const code = files("{libs,services,apps,stack,e2e,bench}/**/*.{ts,mjs,sh}")
      // Tests of pages name settings as the pages do.
      .filter((path) => !path.startsWith("stack/src/documentation/"))
      .concat(files("*.yml"), files("k8s/**/*.yaml"), ["Dockerfile"])
      .map(textInRepository)
      .join("\n");
    // Of the libraries that read them.
    const foreign = /^(AWS|OTEL)_/;
    const unknown = pages.flatMap((page) =>
      [...textInRepository(page).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !settings.has(name) && !foreign.test(name) && !code.includes(name))
        .map((name) => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe("README, what works", () => {
  const row = rowOf("README.md", "Audit records");
  const [, works = "", notYet = ""] = row.split("|");
  const families: Readonly<Record<string, string>> = {
    config: "changes of configuration",
    credentials: "refused credentials",
    capture: "captures",
    authorization: "decisions",
    ciq: "queries",
    graph: "reads of the graph by administrators",
    mcp: "MCP calls",
    trustscore: "trust runs",
    signing: "signing keys",
    streams: "a replaced Redis",
  };
  const providers: Readonly<Record<string, string>> = {
    CUSTOMER_AWS_KMS: "AWS KMS",
    CUSTOMER_GCP_KMS: "Google Cloud KMS",
    CUSTOMER_AZURE_KEY_VAULT: "Azure Key Vault",
  };

  it("knows every family of audit records", () => {
    const there = new Set(Object.keys(recordSchemas).map((type) => type.split(".")[1] ?? ""));
    expect(Object.keys(families).sort()).toEqual([...there].sort());
    for (const words of Object.values(families)) {
      expect(works).toContain(words);
      expect(notYet).not.toContain(words);
    }
  });

  it("knows every provider of customers' keys", () => {
    expect(Object.keys(providers).sort()).toEqual(
      signingProviders.filter((name) => name.startsWith("CUSTOMER_")).toSorted(),
    );
    for (const words of Object.values(providers)) expect(works).toContain(words);
  });
});

describe("how long a revoked key and a changed policy are still used", () => {
  const [lost, withoutRedis] = ["announcedLifetimeMs", "unannouncedLifetimeMs"].map((name) =>
    secondsOf("libs/auth/src/announced-lifetime.ts", name),
  );
  const policies = secondsOf("libs/catalog/src/catalog.ts", "maxAgeWithoutRedis");

  it("is said as it is", () => {
    expect([lost, withoutRedis, policies]).toEqual([expect.any(String), "1.5 s", "2 s"]);
    const caches = rowOf("docs/caching.md", "API keys and service-account tokens");
    expect(caches).toContain(`${lost}; ${withoutRedis} while Redis is unavailable`);
    expect(caches).toContain(`${withoutRedis} without Redis, ${lost} where an announcement was lost`);
    expect(rowOf("docs/operations.md", "Redis  ")).toContain(
      `credentials are read again after ${withoutRedis} at most and policies after ${policies} at most`,
    );
    const operations = textInRepository("docs/operations.md").replaceAll(/\s+/g, " ");
    expect(operations).toContain(`within ${withoutRedis} in one that it does not`);
    expect(operations).toContain(`a revoked credential may be accepted for up to ${lost}.`);
  });
});

describe("who says who calls", () => {
  it("is said as it is", () => {
    const signing = files("services/*/src/**/*.ts")
      .filter((path) => !path.endsWith(".test.ts") && textInRepository(path).includes("openContextHeaders("))
      .map((path) => path.split("/")[1]);
    expect([...new Set(signing)]).toEqual(["gateway", "mcp"]);
    expect(rowOf("docs/caching.md", "verified internal contexts")).toContain("the gateway and mcp make them");
    expect(rowOf("docs/threat-model.md", "the gateway")).toMatch(/^\| the gateway, and mcp /);
    const holders = (key: string) =>
      Object.entries(serviceSettings).flatMap(([name, schema]) =>
        settingRows(schema).some((row) => row.name === key) ? [name] : [],
      );
    expect([holders("GATEWAY_SIGNING_KEY"), holders("MCP_SIGNING_KEY")]).toEqual([["gateway"], ["mcp"]]);
  });

  it("is who has which key", () => {
    const table = /^\| key +\| gateway[^]*?\n\n/m.exec(textInRepository("docs/operations.md"))?.[0] ?? "";
    const [[, ...services] = [], , ...rows] = table.trim().split("\n").map(cellsOf);
    for (const key of new Set(Object.values(keysOfService).flat())) {
      const [, ...cells] = rows.find(([name]) => name?.startsWith(`\`${key}\``)) ?? [];
      const holders = services.filter((_name, at) => cells[at] !== "");
      const started = services.filter((name) => keysOfService[name as ServiceName].includes(key));
      expect([key, holders]).toEqual([key, started]);
      const reading = services.filter((name) =>
        settingRows(serviceSettings[name as ServiceName]).some((row) => row.name === key),
      );
      expect([key, reading]).toEqual([key, started]);
    }
  });

  it("is how many services the gateway looks up", () => {
    const upstreams = Object.keys(serviceSettings.gateway?.shape ?? {}).filter((name) =>
      /^UPSTREAM_(?!SOCKETS)/.test(name),
    );
    const numbers = ["no", "one", "two", "three", "four", "five", "six", "seven"];
    expect(rowOf("docs/caching.md", "addresses of services' names")).toContain(
      `the ${numbers[upstreams.length]} services behind it`,
    );
  });
});

describe("what is open without a credential", () => {
  it("is in the threat model", () => {
    const main = textInRepository("services/gateway/src/main.ts");
    const mounted = [...main.matchAll(/(?:service\.app\.use\(\s*|of )(\w+)\(/g)].map(([, name]) => name);
    // Who adds one that needs no credential says so on the page, and here.
    expect(new Set(mounted)).toEqual(
      new Set(["gateway", "metadata", "resourceMetadata", "reference", "consoleOf", "mcp", "auditKeys"]),
    );
    const row = rowOf("docs/threat-model.md", "a caller without a key");
    for (const path of [
      "/console",
      "/.well-known/authzen-configuration",
      "/.well-known/oauth-protected-resource",
      "/audit/.well-known/jwks.json",
      "/mcp/v1/",
      "/openapi.json",
      "/docs",
    ]) {
      expect(row).toContain(path);
      const known = files("{services/gateway,libs/auth}/src/**/*.ts").some((file) =>
        textInRepository(file).replaceAll("\\/", "/").includes(path),
      );
      expect([path, known]).toEqual([path, true]);
    }
  });
});

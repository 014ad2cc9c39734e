import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { BaseSettings, settingRows } from "@ikg/service";
import { parse } from "yaml";
import type { z } from "zod";
import { BootstrapSettings } from "../../../services/configs/src/bootstrap/settings.ts";
import type { ServiceName } from "../services/service-names.ts";
import { serviceSettings } from "../services/service-settings.ts";
import { inRepository } from "../repository.ts";

interface Service {
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly mem_limit?: string;
  readonly volumes?: readonly string[];
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
}

// Ours, with this shape.
const { services } = parse(readFileSync(inRepository("docker-compose.yml"), "utf8"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};

/** What compose itself decides: where a service listens inside its container, and where the others are. */
const ofCompose = [
  "HOST",
  "PORT",
  "METRICS_PORT",
  "UPSTREAM_CONFIGS",
  "UPSTREAM_CAPTURE",
  "UPSTREAM_ACCESS",
  "UPSTREAM_CIQ",
  "UPSTREAM_MCP",
  "UPSTREAM_AUDIT",
];
const namesOf = (schema: z.ZodObject): readonly string[] => settingRows(schema).map(({ name }) => name);

describe("the settings of every service", () => {
  const rows = Object.values(serviceSettings).flatMap((schema) => settingRows(schema));

  it("say what they are for", () => {
    expect(rows.filter(({ description }) => description === "").map(({ name }) => name)).toEqual([]);
  });

  it("are masked where they hold a key or a password", () => {
    const isSecretByName = (name: string): boolean =>
      /_(KEYS?|PASSWORD|PEPPERS?|JWK)$/.test(name) && !/_PUBLIC_KEYS$|_TLS_KEY$|^TRUST_/.test(name);
    const shown = rows.filter(({ name, secret }) => isSecretByName(name) && !secret).map(({ name }) => name);
    expect([...new Set(shown)]).toEqual([]);
  });
});

/** The variables of OpenTelemetry that docs/operations.md names: rows of one table, the first in full. */
const ofTraces = (): readonly string[] => {
  const page = readFileSync(inRepository("docs", "operations.md"), "utf8");
  const section = /^## Traces\n[\s\S]*?(?=^## )/m.exec(page)?.[0] ?? "";
  const cells = section.split("\n").flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? []);
  const names = cells.flatMap((cell) =>
    [...cell.matchAll(/`([A-Z_…]+)[^`]*`/g)].map(([, name = ""]) => name),
  );
  return names.map((name) => name.replace(/^…/, "OTEL_EXPORTER_OTLP"));
};

/** The settings that are not handed on to a container: its variable is absent, or is not the one of the operator. */
const withheld = (container: string, settings: readonly string[]): readonly string[] => {
  const environment = services[container]?.environment ?? {};
  return settings.filter((name) => {
    const value = environment[name];
    return value === undefined || (value !== null && !value.includes(`\${${name}:`));
  });
};

/** A text with the variables in it, as docker compose puts them in: `${NAME:-default}` and `${NAME:+text}`. */
const interpolated = (text: string, variables: Readonly<Record<string, string>>): string => {
  const next = text.replaceAll(
    /\$\{(\w+):([-+])([^${}]*)\}/g,
    (_, name: string, kind: string, more: string) => {
      const value = variables[name] ?? "";
      if (kind === "+") return value === "" ? "" : more;
      return value === "" ? more : value;
    },
  );
  return next === text ? text : interpolated(next, variables);
};

describe("docker-compose.yml", () => {
  const containers = Object.keys(serviceSettings) as ServiceName[];

  it.each(containers)("hands every setting on to %s", (name) => {
    const settings = namesOf(serviceSettings[name]).filter((setting) => !ofCompose.includes(setting));
    expect(withheld(name, settings)).toEqual([]);
  });

  it("hands every setting on to the bootstrap", () => {
    expect(withheld("bootstrap", namesOf(BootstrapSettings))).toEqual([]);
  });

  it.each(containers)("hands the variables of OpenTelemetry on to %s", (name) => {
    const variables = ofTraces();
    expect(variables).toContain("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
    expect(variables).toContain("OTEL_SDK_DISABLED");
    expect(withheld(name, variables)).toEqual([]);
  });

  it.each(containers)("hands nothing on that %s does not read", (name) => {
    const read = new Set([...namesOf(serviceSettings[name]), "NODE_EXTRA_CA_CERTS"]);
    const handed = Object.keys(services[name]?.environment ?? {});
    expect(handed.filter((each) => !read.has(each) && !each.startsWith("OTEL_"))).toEqual([]);
  });

  it("keeps to itself what a service finds by the names of containers", () => {
    const base = new Set(namesOf(BaseSettings));
    const known = new Set([...base, ...containers.flatMap((name) => namesOf(serviceSettings[name]))]);
    expect(ofCompose.filter((name) => !known.has(name))).toEqual([]);
  });

  it("has TLS between services with the folders of the documentation, and none without", () => {
    const callers = new Set(["gateway", "mcp"]);
    const found = (variables: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        ["configs", "capture", "access", "ciq", "mcp", "audit", "gateway"].map((name) => {
          const { environment = {}, volumes = [] } = services[name] ?? {};
          const values = (pattern: RegExp): string[] =>
            Object.entries(environment)
              .filter(([setting]) => pattern.test(setting))
              .map(([, value]) => interpolated(value ?? "", variables));
          const mounts = volumes.map((volume) => interpolated(volume, variables));
          return [
            name,
            {
              mount: mounts.find((mount) => mount.includes(":/etc/ikg-tls:")),
              files: values(/^INTERNAL_TLS_(CERTIFICATE|KEY|CA)$/),
              schemes: [...new Set(values(/^UPSTREAM_(?!SOCKETS)/).map((url) => new URL(url).protocol))],
            },
          ];
        }),
      );
    for (const [name, service] of Object.entries(found({ INTERNAL_TLS_FOLDER: "/srv/tls" })))
      expect([name, service]).toEqual([
        name,
        {
          mount: `/srv/tls/${name}:/etc/ikg-tls:ro`,
          files: ["tls.crt", "tls.key", "ca.crt"].map((file) => `/etc/ikg-tls/${file}`),
          schemes: callers.has(name) ? ["https:"] : [],
        },
      ]);
    for (const [name, service] of Object.entries(found({})))
      expect([name, service]).toEqual([
        name,
        {
          mount: "/dev/null:/etc/ikg-tls:ro",
          files: ["", "", ""],
          schemes: callers.has(name) ? ["http:"] : [],
        },
      ]);
  });

  it.each(Object.keys(services))("limits the memory and the logs of %s", (name) => {
    const { mem_limit, logging } = services[name] ?? {};
    expect(mem_limit).toMatch(/^(\d+m|\$\{\w+:-\d+m\})$/);
    expect(Object.keys(logging?.options ?? {}).toSorted()).toEqual(["max-file", "max-size"]);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { ExpressionSettings } from "@ikg/service";
import { parse, parseAllDocuments } from "yaml";
import { capacityOf } from "../../../libs/graph/src/scheduling/capacity.ts";
import { textInRepository } from "../repository.ts";
import { calendar, longTerm, neo4jConfiguration, second, type Server } from "./neo4j.ts";
import {
  expressionMb,
  heavyAtOnce,
  heavyStatementsIn,
  imageVariable,
  javaOptionsFile,
  otherMemory,
  transactionMemory,
} from "./neo4j-memory.ts";

type Settings = ReadonlyMap<string, string>;

/** What a deployment gives its Neo4j. */
interface Deployment {
  readonly settings: Settings;
  readonly limit?: string;
  readonly request?: string;
  /** `NEO4J_HEAVY_STATEMENTS` of the services that use it. */
  readonly heavyStatements?: number;
}

/** MB of `1024m`, `2Gi` and the like. */
const megabytes = (size: string | undefined): number => {
  const [, number, unit] = /^(\d+)([mMgG])i?$/.exec(size ?? "") ?? [];
  if (number === undefined) throw new Error(`no size: ${String(size)}`);
  return Number(number) * (unit?.toLowerCase() === "g" ? 1024 : 1);
};

const linesOf = (configuration: string): Settings =>
  new Map(
    configuration
      .split("\n")
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

const embedded = (server: Server): Deployment => ({
  settings: linesOf(neo4jConfiguration("/d", "/l", 1, server)),
});

const started = (): Deployment => ({
  ...embedded(longTerm),
  heavyStatements: heavyStatementsIn(longTerm.heap[1]),
});

/** Settings by their names, of the variables of the image. */
const ofImage = (variables: Readonly<Record<string, string>>): Settings => {
  const names = [
    "server.memory.heap.initial_size",
    "server.memory.heap.max_size",
    "server.memory.pagecache.size",
    "dbms.memory.transaction.total.max",
    "db.memory.transaction.max",
    "server.jvm.additional",
  ];
  return new Map(
    names.flatMap((name) => {
      const value = variables[imageVariable(name)];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
};

/** Values of a compose file whose variables are not set. */
const withDefaults = (value: string): string => value.replace(/\$\{\w+:-([^}]*)\}/g, "$1");

interface ComposeService {
  readonly mem_limit?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly restart?: string;
  readonly volumes?: readonly string[];
}
const compose = parse(textInRepository("docker-compose.yml"), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
};

const composed = (): Deployment => {
  const { environment = {}, mem_limit = "" } = compose.services["neo4j"] ?? {};
  const values = Object.entries(environment).map(([name, value]) => [name, withDefaults(value)]);
  const settings = ofImage(Object.fromEntries(values));
  const [, heavyStatements] =
    /NEO4J_HEAVY_STATEMENTS:-(\d+)\}/.exec(textInRepository("docker-compose.yml")) ?? [];
  return { settings, limit: withDefaults(mem_limit), heavyStatements: Number(heavyStatements) };
};

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: Readonly<Record<"limits" | "requests", { readonly memory: string }>>;
  readonly livenessProbe: { readonly httpGet?: object };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}
const containerOf = (file: string, name: string): Container => {
  const documents = parseAllDocuments(textInRepository(file), { merge: true }).map(
    (document) => document.toJS() as { kind?: string; metadata?: { name: string }; spec?: object } | null,
  );
  const found = documents.find(
    (each) => each?.metadata?.name === name && /^(StatefulSet|Deployment)$/.test(each.kind ?? ""),
  );
  const spec = found?.spec as { template: { spec: { containers: Container[] } } } | undefined;
  const container = spec?.template.spec.containers[0];
  if (container === undefined) throw new Error(`no container ${name} in ${file}`);
  return container;
};
const neo4jPod = containerOf("k8s/overlays/local/stores.yaml", "neo4j");

const kubernetes = (): Deployment => ({
  settings: ofImage(Object.fromEntries(neo4jPod.env.map(({ name, value = "" }) => [name, value]))),
  limit: neo4jPod.resources.limits.memory,
  request: neo4jPod.resources.requests.memory,
  heavyStatements: Number(
    /NEO4J_HEAVY_STATEMENTS=(\d+)/.exec(textInRepository("k8s/overlays/local/kustomization.yaml"))?.[1],
  ),
});

/** The example of the page for a Neo4j of one's own. */
const documented = (): Deployment => {
  const [, block = ""] =
    /```properties\n(server\.memory[^`]*)```/.exec(textInRepository("docs/operations.md")) ?? [];
  const [, heavyStatements] =
    /`NEO4J_HEAVY_STATEMENTS=(\d+)`/.exec(textInRepository("docs/operations.md")) ?? [];
  return { settings: linesOf(block), heavyStatements: Number(heavyStatements) };
};

const deployments: readonly (readonly [string, Deployment])[] = [
  ["npm start", started()],
  ["a second server of the tests", embedded(second)],
  ["the calendar server of the tests", embedded(calendar)],
  ["docker-compose.yml", composed()],
  ["k8s/overlays/local", kubernetes()],
  ["docs/operations.md", documented()],
];

describe("the memory of Neo4j", () => {
  it.each(deployments)(
    "%s: transactions together never exceed the heap, one of them never the whole",
    (_, { settings }) => {
      const heap = megabytes(settings.get("server.memory.heap.max_size"));
      const { all, each } = transactionMemory(heap);
      expect(megabytes(settings.get("dbms.memory.transaction.total.max"))).toBe(all);
      expect(megabytes(settings.get("db.memory.transaction.max"))).toBe(each);
      // Threads of connections (400 by default) with a megabyte each are left, and plans.
      expect(all).toBeLessThanOrEqual(heap / 2);
      expect(4 * each).toBeLessThanOrEqual(all);
    },
  );

  it.each(deployments.filter(([, { heavyStatements }]) => heavyStatements !== undefined))(
    "%s: the largest expressions of all heavy statements at once fit into the other half of the heap",
    (_, { settings, heavyStatements = 0 }) => {
      const heap = megabytes(settings.get("server.memory.heap.max_size"));
      expect(heavyStatements).toBeGreaterThan(0);
      expect(heavyStatements * heavyAtOnce * expressionMb).toBeLessThanOrEqual(heap / 2);
    },
  );

  it("counts heavy statements and expressions as the services do", () => {
    const { heavyTotal } = capacityOf({ poolSize: 100, heavyStatements: 3 });
    expect(heavyTotal).toBe(3 * heavyAtOnce);
    const { EXPRESSION_MEMORY_BYTES } = ExpressionSettings.parse({});
    expect(EXPRESSION_MEMORY_BYTES).toBe(expressionMb * 1024 * 1024);
  });

  it.each(deployments.filter(([, { limit }]) => limit !== undefined))(
    "%s: the container has room for heap, page cache and the rest",
    (_, { settings, limit, request }) => {
      const heap = megabytes(settings.get("server.memory.heap.max_size"));
      const pageCache = megabytes(settings.get("server.memory.pagecache.size"));
      expect(megabytes(limit)).toBeGreaterThanOrEqual(heap + pageCache + otherMemory(heap));
      if (request !== undefined) expect(megabytes(request)).toBeGreaterThanOrEqual(heap + pageCache + 512);
    },
  );

  it("has the same options of Java everywhere", () => {
    const options = readFileSync(javaOptionsFile, "utf8");
    expect(textInRepository("k8s/overlays/local/neo4j.vmoptions")).toBe(options);
    expect(/```\n(-XX:[^`]*)```/.exec(textInRepository("docs/operations.md"))?.[1]).toBe(options);
    const { volumes = [] } = compose.services["neo4j"] ?? {};
    const mounted = volumes
      .find((each) => each.startsWith("./stack/src/stores/neo4j.vmoptions:"))
      ?.split(":");
    expect(composed().settings.get("server.jvm.additional")).toBe(`-XX:VMOptionsFile=${mounted?.[1]}`);
    const folder = neo4jPod.volumeMounts.find(({ name }) => name === "java")?.mountPath;
    expect(kubernetes().settings.get("server.jvm.additional")).toBe(
      `-XX:VMOptionsFile=${folder}/neo4j.vmoptions`,
    );
  });

  it("ends the process when there is none, and the process is started again", () => {
    expect(readFileSync(javaOptionsFile, "utf8").split("\n")).toContain("-XX:+ExitOnOutOfMemoryError");
    expect(compose.services["neo4j"]?.restart).toBe("unless-stopped");
    // The system accepts connections for a process that answers none.
    expect(neo4jPod.livenessProbe.httpGet).toBeDefined();
  });
});

describe("the memory of the services", () => {
  const services = ["access", "audit", "capture", "ciq", "configs", "gateway", "mcp", "trust-scorer"];
  it.each(services)("%s has the same limit in docker-compose.yml and in Kubernetes", (name) => {
    const { limits } = containerOf(`k8s/base/services/${name}.yaml`, name).resources;
    expect(megabytes(compose.services[name]?.mem_limit)).toBe(megabytes(limits.memory));
  });
});

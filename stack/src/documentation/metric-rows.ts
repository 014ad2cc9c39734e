/** Every metric of GET /metrics, read from the places in the sources that register them. */
import { parseSync } from "@swc/core";
import { globSync, readFileSync } from "node:fs";
import { Registry } from "prom-client";
import { measureProcess } from "../../../libs/service/src/metrics/process-metrics.ts";
import { inRepository, repository } from "../repository.ts";

export interface MetricRow {
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram" | "summary";
  readonly labels: readonly string[];
  readonly help: string;
  /** Empty for every service. */
  readonly services: readonly string[];
}

const kinds = new Set(["counter", "gauge", "histogram"]);

/** Services that register a metric of a library. Metrics of libraries that are not listed are on every service. */
const servicesOfMetric: Readonly<Record<string, readonly string[]>> = {
  ikg_cache_lookups_total: ["access", "capture", "ciq", "gateway", "mcp", "trust-scorer"],
  ikg_circuit_open: ["gateway", "mcp"],
  ikg_queue_jobs: ["capture", "trust-scorer"],
  ikg_queue_oldest_waiting_seconds: ["capture", "trust-scorer"],
  ikg_bearers_not_judged_total: ["access", "ciq", "mcp"],
  ikg_token_nodes_failed_total: ["access", "ciq", "mcp"],
  ikg_issuer_circuits_opened_total: ["access", "ciq", "mcp"],
};

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** Every call in a tree, as what is called and with what. */
const callsIn = (value: unknown): readonly { readonly callee: Tree; readonly given: readonly Tree[] }[] => {
  if (!isTree(value)) return [];
  const inside = Object.values(value).flatMap(callsIn);
  if (value["type"] !== "CallExpression") return inside;
  const given = (value["arguments"] as readonly { readonly expression: Tree }[]).map(
    ({ expression }) => expression,
  );
  return [{ callee: value["callee"] as Tree, given }, ...inside]; // as swc writes a call
};

const nameOf = (callee: Tree): unknown =>
  callee["type"] === "MemberExpression" ? (callee["property"] as Tree)["value"] : callee["value"];

const textOf = (tree: Tree | undefined): string | undefined =>
  tree?.["type"] === "StringLiteral" ? String(tree["value"]) : undefined;

/** Undefined for what is no array of literals. */
const textsOf = (tree: Tree | undefined): readonly string[] | undefined => {
  if (tree === undefined) return [];
  if (tree["type"] !== "ArrayExpression") return undefined;
  const texts = (tree["elements"] as readonly { readonly expression: Tree }[]).map(({ expression }) =>
    textOf(expression),
  );
  return texts.every((text) => text !== undefined) ? texts : undefined;
};

/** The metrics that a source registers. @throws if a name, help or label is no literal. */
export const rowsOf = (file: string, source: string): MetricRow[] => {
  const tree = parseSync(source, { syntax: "typescript" });
  return callsIn(tree).flatMap(({ callee, given: [first, second, third] }) => {
    const kind = nameOf(callee);
    if (typeof kind !== "string" || !kinds.has(kind)) return [];
    const [name, help, labels] = [textOf(first), textOf(second), textsOf(third)];
    if (name === undefined || help === undefined || labels === undefined)
      throw new Error(`${file}: name, help and labels of a ${kind} are literals, so that the page has them`);
    const [, service] = /^services\/([^/]+)\//.exec(file) ?? [];
    return [
      {
        name,
        kind: kind as MetricRow["kind"], // one of `kinds`
        help,
        labels,
        services: service === undefined ? (servicesOfMetric[name] ?? []) : [service],
      },
    ];
  });
};

const mentions = /\.?(?:counter|gauge|histogram)\(/;

const readRows = (): readonly MetricRow[] => {
  const files = globSync("{libs,services}/*/src/**/*.ts", { cwd: repository }).filter(
    (file) => !file.endsWith(".test.ts") && mentions.test(readFileSync(inRepository(file), "utf8")),
  );
  return [
    ...Map.groupBy(
      files.flatMap((file) => rowsOf(file, readFileSync(inRepository(file), "utf8"))),
      ({ name }) => name,
    ).values(),
  ]
    .flatMap(([first, ...more]) =>
      first === undefined
        ? []
        : [{ ...first, services: [first, ...more].flatMap(({ services }) => services).toSorted() }],
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

let known: readonly MetricRow[] | undefined;

/** The product's own metrics, by name. */
export const metricRows = (): readonly MetricRow[] => (known ??= readRows());

/** Those of the process, most of which the client library makes. */
export const processRows = (): readonly MetricRow[] => {
  const registry = new Registry();
  measureProcess(registry);
  return registry.getMetricsAsArray().map((metric) => {
    const { name, help, type } = metric as unknown as { name: string; help: string; type: MetricRow["kind"] }; // of the library
    return { name, kind: type, help, labels: [], services: [] };
  });
};

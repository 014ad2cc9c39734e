import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { formatText } from "../format-text.ts";
import { inRepository, repository } from "../repository.ts";
import { isLongRun } from "../testing/test-environment.ts";
import { metricRows, processRows } from "./metric-rows.ts";

const prometheus = inRepository("monitoring", "prometheus");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly targets: readonly { readonly expr: string; readonly refId: string }[];
}
interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}

// Of files of this repository, with these shapes; what is missing fails below.
const rules = (
  parse(readFileSync(join(prometheus, "alerts.yml"), "utf8")) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const dashboards = globSync("monitoring/grafana/*.json", { cwd: repository }).map(
  (file) => JSON.parse(readFileSync(inRepository(file), "utf8")) as Dashboard,
);

/** What Prometheus itself knows of a process that it asks. */
const ofPrometheus = ["up"];
const suffixes: Readonly<Record<string, readonly string[]>> = {
  histogram: ["_bucket", "_sum", "_count"],
};
const rows = [...metricRows(), ...processRows()];
const series = new Set([
  ...ofPrometheus,
  ...rows.flatMap(({ name, kind }) => (suffixes[kind] ?? [""]).map((suffix) => name + suffix)),
]);
const words = new Set(["and", "or", "unless", "bool", "offset"]);

/** The names of series in an expression: what is no function, label, grouping or number. */
const seriesIn = (expression: string): readonly string[] =>
  [
    ...expression
      .replaceAll(/"(?:[^"\\]|\\.)*"/g, "")
      .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, "")
      .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, "")
      .matchAll(/(?<![\w$.])[a-zA-Z_]\w*(?!\w)(?!\s*\()/g),
  ]
    .map(([name]) => name)
    .filter((name) => !words.has(name));

/** The labels that an expression selects by, for each series it names. */
const selectedLabels = (expression: string): readonly (readonly [string, string])[] =>
  [...expression.matchAll(/([a-zA-Z_]\w*)\{([^}]*)\}/g)].flatMap(([, name = "", selectors = ""]) =>
    [...selectors.matchAll(/([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)/g)].map(
      ([, label = ""]) => [name, label] as const,
    ),
  );

/** The labels that an expression groups by. */
const groupedLabels = (expression: string): readonly string[] =>
  [...expression.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, labels = ""]) =>
    labels
      .split(",")
      .map((label) => label.trim())
      .filter((label) => label !== ""),
  );

/** Labels that every process has: its own, and those that Prometheus adds. */
const everywhere = new Set(["service", "job", "instance"]);
/** Labels of the series of every histogram. */
const ofBuckets = "le";
const hasLabel = ([name, label]: readonly [string, string]): boolean =>
  everywhere.has(label) ||
  rows.some(
    (row) =>
      (suffixes[row.kind] ?? [""]).some((suffix) => row.name + suffix === name) && row.labels.includes(label),
  );

/** Labels that an expression groups by and none of its series has. */
const unknownGroups = (expression: string): readonly string[] => {
  const names = seriesIn(expression);
  return groupedLabels(expression).filter((label) =>
    label === ofBuckets
      ? !names.some((name) => name.endsWith("_bucket"))
      : !names.some((name) => hasLabel([name, label])),
  );
};

const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboards.flatMap(({ title, panels }) =>
    panels.flatMap((panel) => panel.targets.map(({ expr }) => [`${title}: ${panel.title}`, expr] as const)),
  ),
];

describe("alerts and dashboards", () => {
  it("are there", () => {
    expect(rules.length).toBeGreaterThan(15);
    expect(dashboards.map(({ uid }) => uid).toSorted()).toEqual([
      "ikg-decisions",
      "ikg-health",
      "ikg-projects",
    ]);
  });

  it.each(expressions)("%s asks for numbers that there are", (_name, expression) => {
    const names = seriesIn(expression);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !series.has(name))).toEqual([]);
    expect(selectedLabels(expression).filter((each) => !hasLabel(each))).toEqual([]);
    expect(unknownGroups(expression)).toEqual([]);
  });

  it("would notice a number that there is not", () => {
    expect(seriesIn('sum by (le) (rate(igk_x_total{a="ikg_y"}[5m])) > 0.5 and up == 1')).toEqual([
      "igk_x_total",
      "up",
    ]);
    expect(hasLabel(["ikg_circuit_open", "project"])).toBe(false);
    expect(unknownGroups("sum by (upstream, le) (ikg_circuit_open)")).toEqual(["le"]);
    expect(unknownGroups("sum without (project) (rate(ikg_decisions_total[5m]))")).toEqual(["project"]);
  });

  it("have what Grafana and an operator need", () => {
    for (const { panels, templating } of dashboards) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      expect(panels.filter(({ title, description }) => !title || !description)).toEqual([]);
      expect(templating.list[0]?.query).toBe("prometheus");
    }
    const operations = readFileSync(inRepository("docs", "operations.md"), "utf8");
    for (const { alert, labels, annotations } of rules) {
      const [, severity] = new RegExp(`^\\| \`${alert}\` +\\| (\\w+) +\\|`, "m").exec(operations) ?? [];
      expect([alert, severity]).toEqual([alert, labels.severity]);
      expect(["warning", "critical"]).toContain(labels.severity);
      expect(annotations.summary).not.toBe("");
    }
    const documented = [...operations.matchAll(/^\| `(Ikg\w+)`/gm)].map(([, name = ""]) => name);
    expect(documented.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });
});

describe("the Alertmanagers of an operator", () => {
  const { alerting } = parse(readFileSync(join(prometheus, "prometheus.yml"), "utf8")) as {
    readonly alerting: {
      readonly alertmanagers: readonly {
        readonly file_sd_configs: readonly { readonly files: readonly string[] }[];
      }[];
    };
  }; // a file of this repository

  it("are in a file that no release has, so that an upgrade leaves it alone", () => {
    const files = alerting.alertmanagers.flatMap((each) =>
      each.file_sd_configs.flatMap((config) => config.files.map((file) => `monitoring/prometheus/${file}`)),
    );
    expect(files).toEqual(["monitoring/prometheus/alertmanagers.yml"]);
    const [file = ""] = files;
    expect(readFileSync(inRepository("docs", "operations.md"), "utf8")).toContain(`\`${file}\``);
    expect(readFileSync(inRepository(".gitignore"), "utf8").split("\n")).toContain(file);
    expect(parse(readFileSync(inRepository(`${file}.example`), "utf8"))).toEqual([
      { targets: [expect.any(String)] },
    ]);
  });
});

/** What an object of a type looks like as JSON: its enums are texts. */
const asJson = `
type Json<T> = T extends string ? \`\${T}\` : T extends (infer U)[] ? Json<U>[] : T extends object ? { [K in keyof T]: Json<T[K]> } : T;`;

/** A program that is well-typed when the text is a dashboard. */
const asProgram = (text: string): string => `import type { Dashboard } from "@grafana/schema";${asJson}
export const dashboard = ${text.trim()} satisfies Json<Dashboard>;
`;

/** What the compiler says of programs; nothing when they are well-typed. */
const compile = (programs: Readonly<Record<string, string>>): string => {
  // Within the repository, where the packages are found.
  const folder = mkdtempSync(inRepository(".tools", "dashboards-"));
  try {
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), text);
    const options = { strict: true, noEmit: true, skipLibCheck: true, module: "nodenext", types: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
    const compiler = inRepository("node_modules", "typescript", "bin", "tsc");
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe("the types of Grafana", () => {
  const files = globSync("monitoring/grafana/*.json", { cwd: repository });
  const texts = files.map((file) => readFileSync(inRepository(file), "utf8"));

  it("fit the dashboards", () => {
    expect(compile(Object.fromEntries(texts.map((text, n) => [`dashboard${n}`, asProgram(text)])))).toBe("");
  });

  it("would not fit others", () => {
    const [text = ""] = texts;
    const errors = compile({
      unknown: asProgram(text.replace('"schemaVersion"', '"schemVersion"')),
      wrong: asProgram(text.replace('"gridPos": {', '"gridPos": { "z": 1,')),
    });
    expect(errors).toContain(`'"schemVersion"' does not exist`);
    expect(errors).toContain(`'"z"' does not exist`);
  });
});

describe("the alerts in Kubernetes", () => {
  const file = inRepository("k8s", "monitoring", "alerts.yaml");
  const alerts = readFileSync(join(prometheus, "alerts.yml"), "utf8");

  it("are those of Prometheus (npm run generate writes them anew)", async () => {
    const head = [
      "# Written from monitoring/prometheus/alerts.yml by npm run generate",
      "apiVersion: monitoring.coreos.com/v1",
      "kind: PrometheusRule",
      "metadata: { name: ikg }",
      "spec:",
    ];
    const rule = [...head, ...alerts.split("\n").map((line) => `  ${line}`.trimEnd())].join("\n");
    const text = await formatText("alerts.yaml", rule);
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(parse(text)).toMatchObject({ kind: "PrometheusRule", spec: parse(alerts) });
  });
});

/** The tool of Prometheus, fetched from the package sources into a folder of the test. */
const fetchPromtool = (folder: string): string => {
  execFileSync("apt-get", ["download", "prometheus"], { cwd: folder, stdio: "pipe" });
  const [file = ""] = globSync("*.deb", { cwd: folder });
  execFileSync("dpkg", ["-x", file, "."], { cwd: folder, stdio: "pipe" });
  return join(folder, "usr", "bin", "promtool");
};

describe("promtool", () => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-promtool-"));
  const reasonNot = (): string | undefined => {
    if (!isLongRun()) return "npm run test:long has it";
    try {
      fetchPromtool(folder);
      return undefined;
    } catch (error) {
      return `the package prometheus cannot be had: ${error instanceof Error ? error.message.split("\n")[0] : ""}`;
    }
  };
  const reason = reasonNot();
  if (reason !== undefined) {
    rmSync(folder, { recursive: true });
    // oxlint-disable-next-line jest/no-disabled-tests -- it says why
    it.skip(`rules checked and tried: ${reason}`, () => undefined);
    return;
  }
  const promtool = (...args: readonly string[]): string =>
    execFileSync(join(folder, "usr", "bin", "promtool"), args, { cwd: prometheus, encoding: "utf8" });

  it("finds no fault in the rules", () => {
    expect(promtool("check", "rules", "alerts.yml")).toContain(`SUCCESS: ${rules.length} rules found`);
  });
  it("sees them fire, and not fire", () => {
    expect(promtool("test", "rules", "alerts.test.yml")).toContain("SUCCESS");
    rmSync(folder, { recursive: true });
  });
});

/** What Helm makes of the chart, and kustomize of an overlay, without a cluster. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { inRepository } from "../repository.ts";
import type { Helm } from "../system/helm.ts";
import { chartFolder } from "./chart.ts";

export interface Rendered {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const options = { cwd: inRepository(), maxBuffer: 64 * 1024 * 1024 };

const documents = (text: string): readonly Rendered[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null) // a program that knows the kinds has printed it
    .filter((object) => object !== null);

/** Values as Helm reads them: files below the chart, and an object that goes before them. */
export interface Values {
  readonly files?: readonly string[];
  readonly values?: object;
}

/** Lends the arguments for values to `work`. */
const withValues = async <T>(
  { files = [], values = {} }: Values,
  work: (args: readonly string[]) => Promise<T>,
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-values-"));
  try {
    const file = join(folder, "values.json");
    writeFileSync(file, JSON.stringify(values));
    const all = [...files.map((each) => inRepository(chartFolder, each)), file];
    return await work(all.flatMap((each) => ["--values", each]));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/**
 * @param chart the folder or archive of the chart
 * @throws Error with what Helm says of values that it refuses
 */
export const renderChart = (
  { helm }: Helm,
  values: Values = {},
  chart: string = chartFolder,
): Promise<readonly Rendered[]> =>
  withValues(values, async (args) => {
    const { stdout } = await run(helm, ["template", "ikg", chart, "--namespace", "ikg", ...args], options);
    return documents(stdout);
  });

/** What `helm lint --strict` says; it throws where something is wrong. */
export const lintChart = ({ helm }: Helm, values: Values = {}): Promise<string> =>
  withValues(
    values,
    async (args) => (await run(helm, ["lint", "--strict", chartFolder, ...args], options)).stdout,
  );

export const renderOverlay = async ({ kubectl }: Helm, folder: string): Promise<readonly Rendered[]> =>
  documents((await run(kubectl, ["kustomize", folder], options)).stdout);

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { renderChart } from "../helm/render.ts";
import { services } from "../services/service-names.ts";
import { repository } from "../repository.ts";
import { helmAbsent, prepareHelm } from "../system/helm.ts";
import { packChart } from "./kubernetes.ts";

const absent = helmAbsent();
const digestOf = (name: string): string => `sha256:${name.length.toString(16).repeat(64).slice(0, 64)}`;

let folder: string;
let archive: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ikg-release-chart-"));
  const pins = {
    version: "1.2.3",
    registry: "r.example/ikg",
    digests: Object.fromEntries(services.map((name) => [name, digestOf(name)])),
  };
  const options = { cwd: repository, signal: new AbortController().signal };
  archive = join(folder, await packChart(folder, pins, options));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const withHelm = absent === undefined ? describe : describe.skip;

describe("the archive of the chart", () => {
  it("has one folder of its name, which every entry names", () => {
    const entries = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).trim().split("\n");
    expect(entries).toContain("ikg/Chart.yaml");
    expect(entries.filter((entry) => !entry.startsWith("ikg/"))).toEqual([]);
  });

  it("has examples that name no images of a machine of one's own", () => {
    const text = execFileSync("tar", ["-xOzf", archive, "ikg/examples/local.yaml"], { encoding: "utf8" });
    expect(text).toMatch(/^nodePort: \{ enabled: true \}\nserviceDefaults:$/m);
    expect(text).not.toMatch(/image|latest|docker/);
  });
});

withHelm(`Helm${absent === undefined ? "" : ` (${absent})`}`, () => {
  it("installs the archive, with the images of the release by digest", async () => {
    const rendered = JSON.stringify(await renderChart(await prepareHelm(), {}, archive));
    for (const name of services)
      expect(rendered).toContain(`"image":"r.example/ikg/${name}@${digestOf(name)}"`);
    expect(rendered).not.toContain("r.example/ikg/access:");
  }, 300_000);
});

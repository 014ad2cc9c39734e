/** Every overlay as the API server would take it: strictly by its schemas, unknown and doubled fields refused. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { say } from "../../launch/progress.mjs";
import { inRepository } from "../repository.ts";
import type { Counts } from "../testing/counts.ts";
import { add, none, one } from "../testing/counts.ts";
import { type Cluster, kubectl, namespace, tryKubectl } from "./kubectl.ts";

const folder = "k8s/overlays";

const dryRun = ["apply", "--dry-run=server", "--validate=strict", "--filename"];

/** A field that is misspelled is refused, or the checks below would show nothing. */
const refusesUnknownFields = async (cluster: Cluster): Promise<boolean> => {
  const scratch = mkdtempSync(join(tmpdir(), "ikg-overlay-"));
  const file = join(scratch, "wrong.yaml");
  writeFileSync(
    file,
    `{ apiVersion: v1, kind: Service, metadata: { name: wrong, namespace: ${namespace} }, spec: { port: [] } }\n`,
  );
  try {
    const { code, lines } = await tryKubectl(cluster, ...dryRun, file);
    return code !== 0 && lines.some((line) => line.includes('unknown field "spec.port"'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

export const checkOverlays = async (cluster: Cluster): Promise<Counts> => {
  // A dry run makes nothing, and what is in a namespace is judged only where there is one.
  await kubectl(cluster, "apply", "--filename", "k8s/base/namespace.yaml");
  let counts: Counts = none;
  const check = (passed: boolean, text: string): void => {
    say(`${passed ? "passed" : "FAILED"}: ${text}`);
    counts = add(counts, one(passed));
  };
  check(await refusesUnknownFields(cluster), "the API server refuses an unknown field");
  for (const name of readdirSync(inRepository(folder)).toSorted()) {
    const { code, lines } = await tryKubectl(
      cluster,
      "apply",
      "--dry-run=server",
      "--validate=strict",
      "--kustomize",
      `${folder}/${name}`,
    );
    // Warnings too: of pod security, of fields that are going away.
    const faults = lines.filter((line) => !line.endsWith("(server dry run)"));
    check(
      code === 0 && faults.length === 0,
      `overlay ${name}: ${lines.length - faults.length} objects${faults.map((line) => `\n  ${line}`).join("")}`,
    );
  }
  return counts;
};

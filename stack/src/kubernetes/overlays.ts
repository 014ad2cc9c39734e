/** Every overlay as the API server would take it: strictly by its schemas, unknown and doubled fields refused. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { inRepository } from "../repository.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { add, none } from "../testing/runner/counts.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { strayConnections } from "./connections.ts";
import { type Cluster, kubectl, namespace, tryKubectl } from "./kubectl.ts";
import type { ClusterObject } from "./network.ts";
import { withOperatorKinds } from "./operator-kinds.ts";
import { withoutPrivateCa } from "./private-ca.ts";
import { withComponent } from "./with-component.ts";

const folder = "k8s/overlays";

/** What is applied beside an overlay, where the cluster has the Prometheus operator. */
const monitoring = "k8s/monitoring";

/** Jobs on the volumes of an overlay's stores. */
const jobs = ["k8s/backup/backup", "k8s/backup/check", "k8s/backup/restore"] as const;

/** What its tests open is not what policies are for. */
const opened = "test";

const dryRun = ["apply", "--dry-run=server", "--validate=strict"];

/** One of Kubernetes, one of the operator, each with one misspelled field. */
const misspelled = [
  { apiVersion: "v1", kind: "Service", field: "spec.port", spec: { port: [] } },
  {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    field: "spec.endpoint",
    spec: { selector: {}, endpoints: [], endpoint: [] },
  },
] as const;

/** What is misspelled is refused, or the checks below would show nothing. */
const refusesUnknownField = async (
  cluster: Cluster,
  { field, ...wrong }: (typeof misspelled)[number],
): Promise<boolean> => {
  const scratch = mkdtempSync(join(tmpdir(), "ikg-overlay-"));
  const file = join(scratch, "wrong.json");
  writeFileSync(file, JSON.stringify({ ...wrong, metadata: { name: "wrong", namespace } }));
  try {
    const { code, lines } = await tryKubectl(cluster, ...dryRun, "--filename", file);
    return code !== 0 && lines.some((line) => line.includes(`unknown field "${field}"`));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const described = (faults: readonly string[]): string => faults.map((line) => `\n  ${line}`).join("");

/** What kustomize makes of a folder. */
const rendered = async (cluster: Cluster, overlay: string): Promise<readonly ClusterObject[]> => {
  const text = (await kubectl(cluster, "kustomize", overlay)).join("\n");
  // The API server has taken it.
  return parseAllDocuments(text).map((document) => document.toJS() as ClusterObject);
};

export const checkOverlays = async (cluster: Cluster): Promise<Counts> => {
  // A dry run makes nothing, and what is in a namespace is judged only where there is one.
  await kubectl(cluster, "apply", "--filename", "k8s/base/namespace.yaml");
  let counts: Counts = none;
  const check = (passed: boolean, text: string): void => {
    counts = add(counts, verdict(passed, text));
  };
  const checkDryRun = async (what: string, ...args: readonly string[]): Promise<void> => {
    const { code, lines } = await tryKubectl(cluster, ...dryRun, ...args);
    // Warnings too: of pod security, of fields that are going away.
    const faults = lines.filter((line) => !line.endsWith("(server dry run)"));
    check(
      code === 0 && faults.length === 0,
      `${what}: ${lines.length - faults.length} objects${described(faults)}`,
    );
  };
  const [plain, ofOperator] = misspelled;
  const checkRefusal = async (wrong: typeof plain | typeof ofOperator): Promise<void> =>
    check(
      await refusesUnknownField(cluster, wrong),
      `the API server refuses an unknown field of a ${wrong.kind}`,
    );
  await checkRefusal(plain);
  // None of these needs the Prometheus operator.
  for (const name of readdirSync(inRepository(folder)).toSorted()) {
    const overlay = `${folder}/${name}`;
    await checkDryRun(`overlay ${name}`, "--kustomize", overlay);
    if (name === opened) continue;
    const { ends, faults } = strayConnections(await rendered(cluster, overlay));
    check(
      faults.length === 0,
      `overlay ${name}: from each of ${ends} ends what its policies should allow${described(faults)}`,
    );
  }
  await withComponent("k8s/overlays/production", "private-ca", async (both) => {
    await checkDryRun("overlay production with private-ca", "--kustomize", both);
    const without = withoutPrivateCa(await rendered(cluster, both));
    check(without.length === 0, `every service reads the authorities of private-ca${described(without)}`);
  });
  for (const name of jobs) await checkDryRun(name, "--kustomize", name);
  await withOperatorKinds(cluster, async () => {
    await checkRefusal(ofOperator);
    await checkDryRun(monitoring, "--kustomize", monitoring);
  });
  return counts;
};

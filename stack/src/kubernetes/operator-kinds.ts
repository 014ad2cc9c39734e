/** The kinds of the Prometheus operator: objects of them are refused by a cluster that does not know them. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { type Cluster, kubectl, tryKubectl } from "./kubectl.ts";

const module = "github.com/prometheus-operator/prometheus-operator@v0.85.0";
const group = "monitoring.coreos.com";
const kinds = ["servicemonitors", "prometheusrules"] as const;

const missingKinds = async (cluster: Cluster): Promise<string[]> => {
  const missing = [];
  for (const kind of kinds)
    if ((await tryKubectl(cluster, "get", "crd", `${kind}.${group}`)).code !== 0) missing.push(kind);
  return missing;
};

/**
 * Where the operator's own files are: its Go module has them.
 *
 * @throws UserError when it is not available
 */
const definitionFolder = async ({ env, signal }: Cluster): Promise<string> => {
  const lines: string[] = [];
  const { code, tail } = await runProgram("go", ["mod", "download", "-json", module], {
    cwd: tmpdir(),
    env,
    signal,
    onLine: (line) => lines.push(line),
  });
  const folder = /"Dir": "(.*)"/.exec(lines.join("\n"))?.[1];
  if (code !== 0 || folder === undefined)
    throw new UserError(
      [
        `The cluster does not know the kinds of the Prometheus operator, and ${module} is not available: install Go or the operator.`,
        ...tail.slice(-5),
      ].join("\n"),
    );
  return join(folder, "example", "prometheus-operator-crd");
};

/** Does `work` on a cluster that knows them; what is not there before is not there afterwards. */
export const withOperatorKinds = async <T>(cluster: Cluster, work: () => Promise<T>): Promise<T> => {
  const missing = await missingKinds(cluster);
  if (missing.length === 0) return work();
  const folder = await definitionFolder(cluster);
  const names = missing.map((kind) => `crd/${kind}.${group}`);
  const files = missing.flatMap((kind) => ["--filename", join(folder, `${group}_${kind}.yaml`)]);
  await step(`kinds of the Prometheus operator: ${missing.join(", ")}`, async () => {
    // Too large for what a plain apply writes beside them.
    await kubectl(cluster, "apply", "--server-side", ...files);
    await kubectl(cluster, "wait", "--for=condition=Established", "--timeout=60s", ...names);
  });
  try {
    return await work();
  } finally {
    await runProgram("kubectl", ["delete", ...names, "--timeout=60s"], { env: cluster.env });
  }
};

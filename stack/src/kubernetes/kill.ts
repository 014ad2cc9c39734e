/** A replica that is killed, and sends nothing before it ends. */
import { readdirSync, readFileSync } from "node:fs";
import { type Cluster, inNamespace } from "./kubectl.ts";

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // It ended meanwhile.
    return "";
  }
};

/** Processes of node in a pod, where its node is this machine; by the pod's id in the name of their control group. */
const processesOf = (uid: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const groups = read(`/proc/${pid}/cgroup`);
      return (
        (groups.includes(uid) || groups.includes(uid.replaceAll("-", "_"))) &&
        read(`/proc/${pid}/cmdline`).startsWith("node\0")
      );
    })
    .map(Number);

/**
 * Kills the processes of a pod with SIGKILL; on a node elsewhere the pod is deleted without any grace, which sends the same.
 *
 * @returns how it was ended
 */
export const killProcessesOf = async (cluster: Cluster, pod: string): Promise<string> => {
  const [uid = ""] = await inNamespace(cluster, "get", pod, "--output=jsonpath={.metadata.uid}");
  const pids = processesOf(uid);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  if (pids.length > 0) return "killed with -9";
  await inNamespace(cluster, "delete", pod, "--grace-period=0", "--force");
  return "deleted without grace";
};

import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem, type ReplicaStatus } from "@ikg/contracts";
import { respond, respondProblem } from "../http/respond.ts";
import { version } from "./version.ts";

const checkMs = 2_000;
/** A public probe must not turn into load on the stores. */
const reuseMs = 500;

/** Of a process that runs. */
export type HealthStatus = Exclude<ReplicaStatus, "unreachable">;

/** Liveness and readiness of one process. */
export interface Health {
  addCheck(name: string, check: () => Promise<boolean>): void;
  /** Names of the checks that fail now; at most 2 s. */
  failing(): Promise<string[]>;
  /** As `/readyz` states it; at most 2 s. */
  status(): Promise<HealthStatus>;
  /** From here on not ready: the process is stopping. */
  markStopping(): void;
  /** Answers GET /healthz and GET /readyz; false when the request is for something else. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

const probes = new Map([
  ["/healthz", "alive"],
  ["/healthz/", "alive"],
  ["/readyz", "ready"],
  ["/readyz/", "ready"],
]);

const passes = async (check: () => Promise<boolean>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), checkMs)));
  try {
    return await Promise.race([check(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};

export const openHealth = (now: () => number = Date.now): Health => {
  const checks: { name: string; check: () => Promise<boolean> }[] = [];
  let isStopping = false;
  let last: { at: number; failing: Promise<string[]> } | undefined;

  const failing = async (): Promise<string[]> => {
    const results = await Promise.all(
      checks.map(async ({ name, check }) => ({ name, ok: await passes(check) })),
    );
    return results.filter(({ ok }) => !ok).map(({ name }) => name);
  };
  const recent = (): Promise<string[]> => {
    if (last === undefined || now() - last.at > reuseMs) last = { at: now(), failing: failing() };
    return last.failing;
  };
  const statusNow = async (): Promise<HealthStatus> => {
    const isReady = !isStopping && (await recent()).length === 0 && !isStopping;
    return isReady ? "ready" : isStopping ? "stopping" : "unavailable";
  };
  const readiness = async (response: ServerResponse): Promise<void> => {
    const status = await statusNow();
    respond(response, status === "ready" ? 200 : 503, { status, version });
  };

  return {
    addCheck: (name, check) => void checks.push({ name, check }),
    failing,
    status: statusNow,
    markStopping: () => void (isStopping = true),
    answer: (request, response) => {
      const probe = probes.get(request.url ?? "");
      if (probe === undefined) return false;
      if (request.method !== "GET" && request.method !== "HEAD")
        respondProblem(response, new Problem("method_not_allowed", { headers: { Allow: "GET, HEAD" } }));
      else if (probe === "alive") respond(response, 200, { status: "ok" });
      else void readiness(response);
      return true;
    },
  };
};

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ServiceName } from "../../services/service-names.ts";
import { inRepository } from "../../repository.ts";

/** A process of a service that did not want to run. */
export interface Ended {
  readonly code: number | null;
  /** What it logged. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

const withinMs = 60_000;

/** Runs a service with exactly these variables until it ends by itself; at most a minute. */
export const runService = async (
  name: ServiceName,
  env: Readonly<Record<string, string>>,
): Promise<Ended> => {
  const child = spawn(process.execPath, [join(inRepository("services", name), "src", "main.ts")], {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", PORT: "0", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const late = setTimeout(() => child.kill("SIGKILL"), withinMs);
  await once(child, "close");
  clearTimeout(late);
  const lines = output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>); // each line is an object
  return { code: child.exitCode, lines };
};

/** From the start of a process to its first answer of 200 at `/readyz`, its stores being there. */
import { type ServiceName, serviceNames } from "@ikg/contracts";
import { median } from "../../../stack/src/measurement/statistics.ts";
import { gatewayBefore, serviceProgram } from "../own-services.ts";
import { say } from "../../../stack/launch/progress.mjs";
import { startServerProcess } from "../server-process.ts";
import { UserError, type Target } from "../settings.ts";
import { plan } from "./plan.ts";

/** Node itself with an HTTP server: what no service can be faster than. */
const bareProgram = new URL("bare-server.ts", import.meta.url);

/** Each takes the settings that it knows. The scorer leaves the work to the suite's own. */
const environmentOf = (target: Target): Readonly<Record<string, string>> => {
  const { configEncryptionKey, access } = target;
  if (configEncryptionKey === undefined) throw new UserError("CONFIG_ENCRYPTION_KEY is not set.");
  return {
    ...gatewayBefore(target, access),
    CONFIG_ENCRYPTION_KEY: configEncryptionKey,
    PUBLIC_URL: target.gateway,
    TRUST_CONCURRENCY: "0",
  };
};

const startOnce = async (program: URL, env: Readonly<Record<string, string>>): Promise<number> => {
  const server = await startServerProcess(program, env);
  await server.stop();
  return server.readyAfterMs;
};

/** Milliseconds until each is ready, the median of several starts that take turns. */
export const measureStarts = async (
  target: Target,
): Promise<Readonly<Record<ServiceName | "bare", number>>> => {
  const env = environmentOf(target);
  const programs = [
    ["bare", bareProgram] as const,
    ...serviceNames.map((service) => [service, serviceProgram(service)] as const),
  ];
  const found = new Map<string, number[]>(programs.map(([name]) => [name, []]));
  for (let start = 0; start < plan.starts; start++) {
    for (const [name, program] of programs) {
      const ms = await startOnce(program, env);
      // The first one of each may still have to fill the cache of compiled code.
      if (start > 0) found.get(name)?.push(ms);
    }
    say(`starts: round ${start + 1} of ${plan.starts}`);
  }
  return Object.fromEntries([...found].map(([name, times]) => [name, median(times)])) as Record<
    ServiceName | "bare",
    number
  >; // every one of them
};

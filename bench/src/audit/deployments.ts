/** Two deployments on the suite's stores, each an access service and a gateway before it: one keeps no records. */
import { type Evaluations, openEvaluations } from "../evaluations.ts";
import type { Ask } from "../measure.ts";
import { accessProgram, gatewayBefore, gatewayProgram, storesOf } from "../own-services.ts";
import { type ServerProcess, startServerProcess } from "../server-process.ts";
import { Refusal, type Target } from "../settings.ts";
import { plan } from "./plan.ts";

export interface Deployments {
  readonly recording: Ask<{ readonly body: string }>;
  readonly silent: Ask<{ readonly body: string }>;
}

/** @param apiKey of the agent that asks. The deployments last as long as `work`. */
export const withDeployments = async <T>(
  target: Target,
  apiKey: string,
  work: (deployments: Deployments) => Promise<T>,
): Promise<T> => {
  const { configEncryptionKey } = target;
  if (configEncryptionKey === undefined) throw new Refusal("CONFIG_ENCRYPTION_KEY is not set.");
  const processes: ServerProcess[] = [];
  const clients: Evaluations[] = [];
  const start = async (program: URL, env: Readonly<Record<string, string>>): Promise<string> => {
    const process = await startServerProcess(program, env);
    processes.unshift(process);
    return process.url;
  };
  const deploy = async (records: boolean): Promise<Ask<{ readonly body: string }>> => {
    const setting = { AUDIT_RECORDS: String(records) };
    const access = await start(accessProgram, {
      ...storesOf(target),
      CONFIG_ENCRYPTION_KEY: configEncryptionKey,
      ...setting,
    });
    const gateway = await start(gatewayProgram, { ...gatewayBefore(target, access), ...setting });
    const client = openEvaluations(gateway, plan.callers);
    clients.push(client);
    return ({ body }) => client.evaluate({ "x-svc-clientkey": apiKey }, body);
  };
  try {
    return await work({ recording: await deploy(true), silent: await deploy(false) });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    for (const process of processes) await process.stop();
  }
};
